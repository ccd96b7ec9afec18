import { fail } from '@cairn/contracts';
import type { Pool } from 'pg';
import { tableNames, type Projection } from '../projection.js';
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
select name, position, coalesce(applied_at > now() - interval '${FILLED_WITHIN}', true) as "isFilled"
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

const columnsOf = async (pool: Pool, schema: string): Promise<Set<string>> => {
  const { rows } = await pool.query<{ column: string }>(
    `select format('%s.%s', c.relname, a.attname) as column
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = to_regnamespace($1)::oid and c.relkind in ('r', 'p')`,
    [schema],
  );
  return new Set(rows.map(({ column }) => column));
};

/** How the columns of a version differ from those of this build. */
const differenceOf = async (pool: Pool, projection: Projection, version: string) => {
  const theirs = await columnsOf(pool, version);
  const ours = new Set(
    tableNames(projection).flatMap((table) =>
      Object.keys(projection.tables[table]!.columns).map((column) => `${table}.${column}`),
    ),
  );
  return {
    lacks: [...ours].some((column) => !theirs.has(column)),
    hasMore: [...theirs].some((column) => !ours.has(column)),
  };
};

/** Drops the versions that the statements of this build cannot be applied to. Their builds fill them again. */
export const dropUnreadable = async (pool: Pool, projection: Projection): Promise<void> => {
  for (const version of await versionsOfOthers(pool, projection.name))
    if ((await differenceOf(pool, projection, version)).lacks) await dropSlot(pool, version);
};

/**
 * Makes sure that the versions of other builds hold no forgotten content that this build does not know of. One whose
 * handler erases forgotten rows itself has to pass the forgetting first. The others are dropped, and so is one that no
 * process fills any more; a build that needs it fills it again, from a log without that content.
 */
export const settleVersionsBeside = async (
  pool: Pool,
  projection: Projection,
  { position }: { readonly position: number },
): Promise<void> => {
  const { name, isAwaited } = projection;
  for (const version of await versionsOf(pool, name)) {
    const { lacks, hasMore } = await differenceOf(pool, projection, version.name);
    const isBehind = isAwaited && Number(version.position) < position;
    if (lacks || (hasMore && !isAwaited) || (isBehind && !version.isFilled)) await dropSlot(pool, version.name);
    else if (isBehind)
      throw fail(
        'projection.unavailable',
        `another version of Cairn is still filling its ${name} and has not passed it`,
      );
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
