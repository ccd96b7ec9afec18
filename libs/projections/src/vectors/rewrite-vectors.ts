import { setTimeout as delay } from 'node:timers/promises';
import { fail } from '@cairn/contracts';
import { assert } from '@cairn/kernel';
import { tablesSql } from '@cairn/persistence';
import type { Pool, PoolClient } from 'pg';
import { dropSlot, ensureSlot, promoteSlot, readSlot, rewriteSlotName, type SlotShape } from '../slots.js';
import { vectorsIndexes, vectorsTables } from './vectors.schema.js';

const LIVE = 'vectors';
export const VECTORS_REWRITE = rewriteSlotName(LIVE);
const SHAPE: SlotShape = { tables: (schema) => tablesSql(schema, vectorsTables), indexes: vectorsIndexes };

/** The embedded database serves no other client during a statement: as many rows as fit in this time, then a pause as long. */
const STATEMENT_MS = 10;
/** Never fewer: one row at a time would take hours on a busy database. */
const ROWS_MIN = 8;
const ROWS_MAX = 500;

interface Key {
  readonly chunk_id: string;
  readonly model: string;
  readonly text_hash: Buffer;
}

const FIRST: Key = { chunk_id: '00000000-0000-0000-0000-000000000000', model: '', text_hash: Buffer.alloc(0) };

/** Copies the next rows after `after`; returns their number and the last key. */
const copyRows = async (pool: Pool, after: Key, end: Key, rowCount: number): Promise<{ copied: number; last: Key }> => {
  const { rows } = await pool.query<Key & { n: number }>(
    `with copied as (
       insert into ${VECTORS_REWRITE}.embeddings
       select * from ${LIVE}.embeddings where (chunk_id, model, text_hash) > ($1, $2, $3)
         and (chunk_id, model, text_hash) <= ($5, $6, $7)
       order by chunk_id, model, text_hash limit $4
       returning chunk_id, model, text_hash
     )
     select *, (count(*) over ())::int as n from copied order by chunk_id desc, model desc, text_hash desc limit 1`,
    [after.chunk_id, after.model, after.text_hash, rowCount, end.chunk_id, end.model, end.text_hash],
  );
  return { copied: rows[0]?.n ?? 0, last: rows[0] ?? after };
};

/** Ids grow: without a fixed end, the copy would chase new rows for as long as they are added. */
const lastKey = async (pool: Pool): Promise<Key> => {
  const { rows } = await pool.query<Key>(
    `select chunk_id, model, text_hash from ${LIVE}.embeddings
     order by chunk_id desc, model desc, text_hash desc limit 1`,
  );
  return rows[0] ?? FIRST;
};

/** Copies the rows that exist at the beginning; `copyDifference` finds those added meanwhile. */
const copyAll = async (pool: Pool, signal: AbortSignal): Promise<void> => {
  const end = await lastKey(pool);
  let rowCount = ROWS_MIN;
  for (let after = FIRST; ;) {
    const started = performance.now();
    const { copied, last } = await copyRows(pool, after, end, rowCount);
    if (copied < rowCount) return;
    after = last;
    const tookMs = performance.now() - started;
    rowCount = Math.min(ROWS_MAX, Math.max(ROWS_MIN, Math.round(rowCount * Math.min(2, STATEMENT_MS / tookMs))));
    await delay(tookMs, undefined, { signal });
  }
};

/** Copies the changes that the projector and forgetting made since: few rows, found by comparing keys. */
const copyDifference = async (client: Pool | PoolClient): Promise<void> => {
  const sameKey = 'a.chunk_id = b.chunk_id and a.model = b.model and a.text_hash = b.text_hash';
  await client.query(
    `delete from ${VECTORS_REWRITE}.embeddings a
     where not exists (select from ${LIVE}.embeddings b where ${sameKey} and a.seq = b.seq)`,
  );
  await client.query(
    `insert into ${VECTORS_REWRITE}.embeddings select a.* from ${LIVE}.embeddings a
     where not exists (select from ${VECTORS_REWRITE}.embeddings b where ${sameKey})`,
  );
};

/** Another build may have gone live meanwhile, with other tables. */
const keepsLayout = async (client: PoolClient, layout: string | null): Promise<void> => {
  const { rows } = await client.query<{ layout: string | null }>(
    'select layout from cairn.projections where name = $1',
    [LIVE],
  );
  if (rows[0]?.layout !== layout)
    throw fail('projection.unavailable', 'another version of Cairn has replaced the vectors during a purge');
};

/**
 * Rewrites the table of vectors and its index in files that never held the deleted rows, and removes the old ones.
 * `vacuum full` does the same but blocks every client while the index is built: minutes for a large library. This works
 * in small steps next to the live version, which serves and grows meanwhile; only the swap is one step. After an
 * interruption, such as by `signal`, it starts again from the beginning.
 */
export const rewriteVectors = async (pool: Pool, signal: AbortSignal): Promise<void> => {
  const live = await readSlot(pool, LIVE);
  assert(live, 'the vectors have no checkpoint row');
  await dropSlot(pool, VECTORS_REWRITE);
  const slot = { name: VECTORS_REWRITE, version: live.version, epoch: live.checkpoint.epoch + 1 };
  await ensureSlot(pool, SHAPE, slot);
  await copyAll(pool, signal);
  await copyDifference(pool);
  const isDone = await promoteSlot(
    pool,
    { name: LIVE, ...SHAPE },
    {
      next: VECTORS_REWRITE,
      atLast: async (client) => {
        await keepsLayout(client, live.layout);
        await copyDifference(client);
        // Texts that were given up are few.
        await client.query(`insert into ${VECTORS_REWRITE}.failures select * from ${LIVE}.failures`);
        await client.query(
          `update cairn.projections set (position, epoch, layout) =
             (select position, epoch + 1, layout from cairn.projections where name = $2) where name = $1`,
          [VECTORS_REWRITE, LIVE],
        );
      },
    },
  );
  assert(isDone, 'rewritten vectors stand where the live ones stood');
};
