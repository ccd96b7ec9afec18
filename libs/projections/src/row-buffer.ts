import type { StatementSink } from './projection.js';

/**
 * Collects rows of one table and writes them with one statement: columns are sent as arrays, which Postgres unnests.
 * A column whose own type is an array is sent as an array literal and cast in `select`. Other fields of a row are ignored.
 */
export class RowBuffer<R extends object> {
  private rows: R[] = [];

  constructor(
    private readonly columns: Readonly<Record<keyof R & string, string>>,
    private readonly sql: (schema: string, source: string) => string,
  ) {}

  add(row: R): void {
    this.rows.push(row);
  }

  flush(db: StatementSink, schema: string): void {
    if (this.rows.length === 0) return;
    const names = Object.keys(this.columns) as (keyof R & string)[];
    const arrays = names.map((name) => this.rows.map((row) => row[name]));
    const casts = names.map((name, i) => `$${i + 1}::${this.columns[name]}[]`);
    const source = `unnest(${casts.join(', ')}) as x(${names.map((name) => `"${name}"`).join(', ')})`;
    void db.query(this.sql(schema, source), arrays);
    this.rows = [];
  }
}

/** `{a,b}` for words that need no quoting: slugs, scopes, uuids. */
export const arrayLiteral = (values: readonly string[]): string => `{${values.join(',')}}`;
