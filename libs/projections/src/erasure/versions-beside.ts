import { OPLOG_STREAM } from '@cairn/contracts';
import type { Pool } from 'pg';
import { tableNames, type Projection } from '../projection.js';
import { PROJECTIONS, READ_MODEL_SCHEMAS } from '../projections.js';
import { besideSlotName, dropSlot, slotsWithTables } from '../slots.js';

interface VersionRow {
  readonly name: string;
  readonly position: string;
  /** Whether a process has written to it lately. */
  readonly isFilled: boolean;
}

/** A process that fills a version moves its checkpoint at least this often while there is something to apply. */
const FILLED_WITHIN = '60 seconds';

const VERSIONS = `
select name, position, coalesce(applied_at > now() - interval '${FILLED_WITHIN}', false) as "isFilled"
from cairn.projections where starts_with(name, $1) order by name`;

/** The versions in Postgres that belong to builds that are not live (ADR 0125). */
const versionsOf = async (pool: Pool, projection: string): Promise<VersionRow[]> => {
  const { rows } = await pool.query<VersionRow>(VERSIONS, [besideSlotName(projection, '')]);
  const standing = await slotsWithTables(
    pool,
    rows.map(({ name }) => name),
  );
  return rows.filter(({ name }) => standing.includes(name));
};

export const versionsOfOthers = async (pool: Pool, projection: string): Promise<string[]> =>
  (await versionsOf(pool, projection)).map(({ name }) => name);

/** The position that all versions of other builds have reached; Infinity if there are none. */
export const versionsReached = async (pool: Pool, { name, stream }: Projection): Promise<number> => {
  if (stream !== OPLOG_STREAM) return Infinity;
  const versions = await versionsOf(pool, name);
  return Math.min(Infinity, ...versions.map(({ position }) => Number(position)));
};

/** The column or the table does not exist. */
const UNKNOWN = new Set(['42703', '42P01']);

/** Drops a version that the statements of this build cannot be applied to: its build fills it again. */
export const orDrop = async (pool: Pool, version: string, work: () => Promise<unknown>): Promise<void> => {
  try {
    await work();
  } catch (thrown) {
    if (!UNKNOWN.has((thrown as { readonly code?: string }).code ?? '')) throw thrown;
    await dropSlot(pool, version);
  }
};

/** Whether a version has columns that this build does not know, and so cannot erase. */
const hasUnknownColumns = async (pool: Pool, projection: Projection, version: string): Promise<boolean> => {
  const { rows } = await pool.query<{ column: string }>(
    `select format('%s.%s', c.relname, a.attname) as column
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = to_regnamespace($1)::oid and c.relkind in ('r', 'p')`,
    [version],
  );
  const ours = new Set(
    tableNames(projection).flatMap((table) =>
      Object.keys(projection.tables[table]!.columns).map((column) => `${table}.${column}`),
    ),
  );
  return rows.some(({ column }) => !ours.has(column));
};

/**
 * Drops the versions of other builds whose content this build cannot erase: read models that it does not have, and vectors
 * with columns that it does not know. Other handlers erase forgotten rows themselves. A build that needs such a version
 * fills it again, from a log without that content.
 */
export const dropUnknownVersions = async (pool: Pool, projection: Projection): Promise<void> => {
  const { rows } = await pool.query<{ name: string }>('select name from cairn.projections where strpos(name, $1) > 0', [
    besideSlotName('', ''),
  ]);
  const isKnown = (slot: string): boolean =>
    READ_MODEL_SCHEMAS.some((name) => slot.startsWith(besideSlotName(name, '')));
  for (const { name } of rows) if (!isKnown(name)) await dropSlot(pool, name);
  if (projection.stream === OPLOG_STREAM) return;
  for (const version of await versionsOfOthers(pool, projection.name))
    if (await hasUnknownColumns(pool, projection, version)) await dropSlot(pool, version);
};

/** A follower gets this long to apply a forgetting, however long there was nothing to apply before. */
const FOLLOWS_WITHIN_MS = 20_000;

/** Drops the versions that have not passed these forgettings and that no process fills any more. */
export const dropAbandonedVersions = async (
  pool: Pool,
  forgettings: readonly { readonly position: number; readonly forgottenAt: Date }[],
): Promise<void> => {
  const due = forgettings.filter(({ forgottenAt }) => Date.now() - forgottenAt.getTime() >= FOLLOWS_WITHIN_MS);
  const position = Math.max(0, ...due.map((forgetting) => forgetting.position));
  for (const { name, stream } of PROJECTIONS) {
    if (stream !== OPLOG_STREAM) continue;
    for (const version of await versionsOf(pool, name))
      if (Number(version.position) < position && !version.isFilled) await dropSlot(pool, version.name);
  }
};

/** All tables of those versions, also ones that this build does not know. */
export const tablesBeside = async (pool: Pool, projection: string): Promise<string[]> => {
  const { rows } = await pool.query<{ name: string }>(
    `select format('%s.%s', schemaname, tablename) as name from pg_tables where schemaname = any ($1::text[])`,
    [await versionsOfOthers(pool, projection)],
  );
  return rows.map(({ name }) => name);
};
