import { messageIn, ReadModelsReplacing, REPLACING_SUBJECT } from '@cairn/contracts';
import type { NatsConnection } from '@cairn/messaging';
import type { Pool } from 'pg';
import type { Projection } from './projection.js';
import { PROJECTIONS } from './projections.js';

export interface ReadColumnsOptions {
  /** If so, what else would be in Postgres is there. */
  readonly usesOpenSearch: boolean;
}

const inPostgres = ({ usesOpenSearch }: ReadColumnsOptions): Projection[] =>
  PROJECTIONS.filter(({ otherHome }) => !usesOpenSearch || !otherHome);

/** The columns of a projection, as `library.items.title`. */
export const columnsOf = ({ name, tables }: Projection): string[] =>
  Object.entries(tables).flatMap(([table, { columns }]) =>
    Object.keys(columns).map((column) => `${name}.${table}.${column}`),
  );

/**
 * The columns that this build reads and the live tables do not have, as long as they belong to an older build. Tables that
 * no build has created yet are not among them.
 */
export const missingColumns = async (pool: Pool, options: ReadColumnsOptions): Promise<string[]> => {
  const projections = inPostgres(options);
  const { rows } = await pool.query<{ schema: string; column: string | null }>(
    `select n.nspname as schema, format('%s.%s.%s', n.nspname, c.relname, a.attname) as column
     from pg_namespace n left join pg_class c on c.relnamespace = n.oid and c.relkind in ('r', 'p')
     left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where n.nspname = any ($1::text[])`,
    [projections.map(({ name }) => name)],
  );
  const [schemas, present] = [new Set(rows.map(({ schema }) => schema)), new Set(rows.map(({ column }) => column))];
  const existing = projections.filter(({ name }) => schemas.has(name));
  return existing.flatMap(columnsOf).filter((column) => !present.has(column));
};

/** Whether a process of this build would miss a column after these versions have replaced the live ones. */
const missesOne = ({ columns }: ReadModelsReplacing, options: ReadColumnsOptions): boolean => {
  const [offered, names] = [new Set(columns), new Set(columns.map((column) => column.split('.')[0]))];
  return inPostgres(options)
    .filter(({ name }) => names.has(name))
    .flatMap(columnsOf)
    .some((column) => !offered.has(column));
};

export interface ObjectionOptions extends ReadColumnsOptions {
  /** Whether this process writes read models itself: it ends before another build takes over from its own. */
  readonly isWriter: boolean;
}

/**
 * Answers an ingest that would replace the live read models, if this process could not read the new ones; the ingest then
 * waits until this process has ended (ADR 0125). A process that has no objection stays silent.
 */
export const objectToReplacements = (nats: NatsConnection, options: ObjectionOptions): void => {
  nats.subscribe(REPLACING_SUBJECT, {
    callback: (error, message) => {
      if (error) return;
      const replacing = messageIn(ReadModelsReplacing, message.string());
      const concerns = replacing && (replacing.isImminent || !options.isWriter);
      if (concerns && missesOne(replacing, options)) message.respond();
    },
  });
};
