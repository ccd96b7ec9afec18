import type { Observation } from '@cairn/contracts';
import { readRows } from '@cairn/persistence';
import type { Pool } from 'pg';

/** The `substrate` projection commits with the library, so it has every batch that a command is decided on. */
const CONNECTOR = `
select connector_id as "connectorId" from library.accounts
  where id = $1 and workspace_id = $2 and disconnected_position is null`;

/** Undefined if the account does not exist; the decider reports that. */
export const connectorOf = async (pool: Pool, workspaceId: string, accountId: string): Promise<string | undefined> =>
  (await readRows<{ connectorId: string }>(pool, CONNECTOR, [accountId, workspaceId]))[0]?.connectorId;

export const batchIdsOf = async (pool: Pool, accountId: string): Promise<ReadonlySet<string>> => {
  const sql = 'select item_id as id from substrate.batches where account_id = $1';
  return new Set((await readRows<{ id: string }>(pool, sql, [accountId])).map(({ id }) => id));
};

const ROW = `o.external_id as id, to_char(o.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
  o.category, o.metrics`;
const IS_NEWEST = `not exists (select from substrate.observations n where n.account_id = o.account_id
  and n.external_id = o.external_id and (n.position, n.chunk_id) > (o.position, o.chunk_id))`;

/** The rows of an account with one of these ids, in their current version. */
export const newestRowsOf = (pool: Pool, accountId: string, ids: readonly string[]): Promise<readonly Observation[]> =>
  readRows<Observation & Record<string, unknown>>(
    pool,
    `select ${ROW} from substrate.observations o
      where o.account_id = $1 and o.external_id = any ($2::text[]) and ${IS_NEWEST}`,
    [accountId, ids],
  );

/** The hashes that belong to purged rows. */
export const purgedAmong = async (
  pool: Pool,
  accountId: string,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> => {
  const sql = `select encode(id_hash, 'hex') as hash from substrate.purged_ids
    where account_id = $1 and id_hash = any ($2::bytea[])`;
  const bytes = hashes.map((hash) => Buffer.from(hash, 'hex'));
  return new Set((await readRows<{ hash: string }>(pool, sql, [accountId, bytes])).map(({ hash }) => hash));
};

/**
 * The batches with rows before a time, and those with earlier versions of such rows: left behind, an earlier version would
 * count again. Oldest first, so that no command takes the newest version of a row before the others.
 */
export const batchesBefore = async (
  pool: Pool,
  accountId: string,
  before: string | null,
  max: number,
): Promise<readonly string[]> => {
  const sql = `select o.item_id as id from substrate.observations o
    where o.account_id = $1 and ($2::timestamptz is null or o.at < $2::timestamptz or (
      select n.at from substrate.observations n where n.account_id = o.account_id and n.external_id = o.external_id
        order by n.position desc, n.chunk_id desc limit 1) < $2::timestamptz)
    group by o.item_id order by min(o.position), o.item_id limit $3`;
  return (await readRows<{ id: string }>(pool, sql, [accountId, before, max])).map(({ id }) => id);
};

/** All remaining chunks of each batch, including those without a row. */
export const chunksOfBatches = async (
  pool: Pool,
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const sql = `select item_id as "itemId", array_agg(chunk_id::text) as "chunkIds" from library.bodies
    where item_id = any ($1::uuid[]) group by item_id`;
  const rows = await readRows<{ itemId: string; chunkIds: string[] }>(pool, sql, [itemIds]);
  return new Map(rows.map(({ itemId, chunkIds }) => [itemId, chunkIds]));
};

/** The rows of some batches in their current version: a row with a later version is left out. */
export const countingRowsOf = (pool: Pool, itemIds: readonly string[]): Promise<readonly Observation[]> =>
  readRows<Observation & Record<string, unknown>>(
    pool,
    `select ${ROW} from substrate.observations o where o.item_id = any ($1::uuid[]) and ${IS_NEWEST}
      order by o.at, o.external_id`,
    [itemIds],
  );

export interface MadeByCommand {
  readonly observations: number;
  readonly observationItems: number;
  readonly purgedRows: number;
  readonly rollupItems: number;
}

/** The result of a command, counted from what is left of it: its ops are contiguous, starting with its first item. */
const MADE = `
with made as (
  select b.item_id, b.kind from substrate.batches b
  where b.workspace_id = $1 and b.position <= $3
    and b.position >= (select position from substrate.batches where item_id = $2))
select (select count(*) from substrate.observations o where o.item_id in (select item_id from made))::int as observations,
       (select count(*) from made where kind = 'observations')::int as "observationItems",
       (select count(*) from substrate.purged_ids p where p.item_id in (select item_id from made))::int as "purgedRows",
       (select count(distinct r.item_id) from substrate.rollups r where r.item_id in (select item_id from made))::int
         as "rollupItems"`;

export const madeByCommand = async (
  pool: Pool,
  workspaceId: string,
  firstItemId: string,
  lastPosition: number,
): Promise<MadeByCommand> =>
  (await readRows<MadeByCommand & Record<string, unknown>>(pool, MADE, [workspaceId, firstItemId, lastPosition]))[0]!;
