import type { PoolClient } from 'pg';
import type { Update } from '../library/library.updates.js';
import { removeChunks, removeItems } from '../library/library.forgetting.js';
import type { ErasureStores, Forgetting } from './erasure-stores.js';
import { changeSlots, slotsBeside, standingSlots } from './standing-slots.js';

type Count = (stores: ErasureStores, forgetting: Forgetting) => Promise<number>;
type Erase = (stores: ErasureStores, forgetting: Forgetting) => Promise<void>;

/** A text that waited for a decision and became the item; live has let go of it, a version from before has not. */
const CONFIRMATIONS = 'sealed is not null and id in (select id from library.confirmations where item_id = $1)';
const CHUNKS = 'any ($2::uuid[]) or ($3 and item_id = $1)';

const count = async ({ pool }: ErasureStores, sqls: readonly string[], values: unknown[]): Promise<number> => {
  if (sqls.length === 0) return 0;
  const { rows } = await pool.query<{ n: number }>(
    `select (${sqls.map((sql) => `(select count(*) from ${sql})`).join(' + ')})::int as n`,
    values,
  );
  return rows[0]!.n;
};

export const libraryLeft: Count = async (stores, { itemId, chunkIds, sourceRemoved }) => {
  const slots = await standingSlots(stores.pool, 'library');
  const sqls = slots.flatMap((slot) => [
    `${slot}.items where $3 and id = $1`,
    `${slot}.bodies where chunk_id = ${CHUNKS}`,
    `${slot}.chunks where id = ${CHUNKS}`,
    `${slot}.confirmations where $3 and ${CONFIRMATIONS}`,
  ]);
  return count(stores, sqls, [itemId, chunkIds, sourceRemoved]);
};

/** The ids of the commands come back with the op; here it is the keyed hash of what they carried that goes. */
const eraseItem = async (client: PoolClient, slot: string, forgetting: Forgetting): Promise<void> => {
  const { itemId, workspaceId, chunkIds, sourceRemoved, erased } = forgetting;
  const statements: Parameters<Update>[] = [];
  const update: Update = (...statement) => void statements.push(statement);
  if (sourceRemoved) removeItems(update, slot, { itemIds: [itemId], workspaceIds: [workspaceId] });
  else removeChunks(update, slot, chunkIds);
  if (sourceRemoved) {
    update(`update ${slot}.confirmations set sealed = null, wrapped_key = null where ${CONFIRMATIONS}`, [itemId]);
    update(
      `update ${slot}.commands set payload_hash = null where workspace_id = $1 and position = any ($2::bigint[])`,
      [workspaceId, erased],
    );
  }
  for (const [sql, values] of statements) await client.query(sql, values as unknown[]);
};

/** Live rows went in the transaction that made the item invisible. */
export const eraseLibraryBeside: Erase = async ({ pool }, forgetting) =>
  changeSlots(pool, await slotsBeside(pool, 'library'), (client, slot) => eraseItem(client, slot, forgetting));

export const archiveLeft: Count = async (stores, { erased }) => {
  const slots = await standingSlots(stores.pool, 'archive');
  const isThere = `position = any ($1::bigint[])
    and convert_from(body, 'UTF8')::jsonb -> 'data' ->> 'content' is distinct from '<forgotten>'`;
  return count(
    stores,
    slots.map((slot) => `${slot}.ops where ${isThere}`),
    [erased],
  );
};

/** The blanked rows are made from the op of the forgetting, once it gets there. */
export const eraseArchiveBeside: Erase = async ({ pool }, { erased }) =>
  changeSlots(pool, await slotsBeside(pool, 'archive'), async (client, slot) => {
    await client.query(`delete from ${slot}.ops where position = any ($1::bigint[])`, [erased]);
  });

export const wordsLeft: Count = async (stores, { itemId, chunkIds, sourceRemoved }) => {
  const slots = await standingSlots(stores.pool, 'lexical');
  return count(
    stores,
    slots.map((slot) => `${slot}.documents where chunk_id = ${CHUNKS}`),
    [itemId, chunkIds, sourceRemoved],
  );
};

export const eraseWordsBeside: Erase = async ({ pool }, { itemId, chunkIds, sourceRemoved }) =>
  changeSlots(pool, await slotsBeside(pool, 'lexical'), async (client, slot) => {
    await client.query(`delete from ${slot}.documents where chunk_id = ${CHUNKS}`, [itemId, chunkIds, sourceRemoved]);
  });

const VECTOR_TABLES = ['embeddings', 'failures'];

export const vectorRowsLeft: Count = async (stores, { chunkIds }) => {
  const slots = await standingSlots(stores.pool, 'vectors');
  const tables = slots.flatMap((slot) => VECTOR_TABLES.map((table) => `${slot}.${table}`));
  return count(
    stores,
    tables.map((table) => `${table} where chunk_id = any ($1::uuid[])`),
    [chunkIds],
  );
};

/** Live ones too: the vectors follow another stream, which knows nothing of forgetting. */
export const eraseVectorRows: Erase = async ({ pool }, { chunkIds }) =>
  changeSlots(pool, await standingSlots(pool, 'vectors'), async (client, slot) => {
    for (const table of VECTOR_TABLES)
      await client.query(`delete from ${slot}.${table} where chunk_id = any ($1::uuid[])`, [chunkIds]);
  });
