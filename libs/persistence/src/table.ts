/** Columns by name, each with its type and constraints in SQL. */
export type Columns = Readonly<Record<string, string>>;

/**
 * The only definition of a read model's table: Postgres creates the table from it, TypeORM and TypeScript read by it.
 */
export interface Table<C extends Columns = Columns> {
  readonly columns: C;
  readonly constraints?: readonly string[];
  /** Indexes for the projection's own statements: the text after the name of the table in `create index`. */
  readonly indexes?: readonly string[];
  /** Columns that no plan depends on; `analyze` keeps no sample of them. */
  readonly withoutStatistics?: readonly string[];
  /** Storage parameters of the table, as in `create table … with (…)`. */
  readonly storage?: string;
  /** Describes how the values are computed. A changed note rebuilds the projection, as a changed column does. */
  readonly note?: string;
}

/** Keeps the SQL of the columns as literal types, from which `TableRow` is derived. */
export const table = <const C extends Columns>(definition: Table<C>): Table<C> => definition;

const tableSql = (name: string, table: Table) => {
  const { columns, constraints = [], indexes = [], withoutStatistics = [], storage, note } = table;
  const lines = [...Object.entries(columns).map(([column, sql]) => `${column} ${sql}`), ...constraints];
  return [
    ...(note === undefined ? [] : [`-- ${note}`]),
    `create table ${name} (\n  ${lines.join(',\n  ')}\n)${storage === undefined ? '' : ` with (${storage})`};`,
    ...indexes.map((index) => `create index on ${name} ${index};`),
    ...withoutStatistics.map((column) => `alter table ${name} alter column ${column} set statistics 0;`),
  ];
};

/** Creates a schema with its tables. */
export const tablesSql = (schema: string, tables: Readonly<Record<string, Table>>): string =>
  [
    `create schema ${schema};`,
    ...Object.entries(tables).flatMap(([name, definition]) => tableSql(`${schema}.${name}`, definition)),
  ].join('\n');

/** The value that the driver returns for a type. */
interface Values {
  readonly uuid: string;
  readonly text: string;
  readonly int: number;
  /** As text: a number would lose digits. */
  readonly bigint: string;
  readonly boolean: boolean;
  readonly timestamptz: Date;
  readonly bytea: Buffer;
}

type TypeOf<Sql extends string> = Sql extends `${infer Type} ${string}` ? Type : Sql;
type ValueOf<Type extends string> = Type extends `${infer Element}[]`
  ? ValueOf<Element>[]
  : Type extends keyof Values
    ? Values[Type]
    : unknown;
type NullOf<Sql extends string> = Sql extends `${string}not null${string}` | `${string}primary key${string}`
  ? never
  : null;
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** A row as TypeORM reads it: the columns in camel case. */
export type TableRow<T extends Table> = {
  -readonly [Name in keyof T['columns'] & string as CamelCase<Name>]:
    ValueOf<TypeOf<T['columns'][Name]>> | NullOf<T['columns'][Name]>;
};
