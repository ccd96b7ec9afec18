import type { Pool, PoolClient } from 'pg';
import { inTransaction, nextSlotName } from '../slots.js';
import { VECTORS_REWRITE } from './rewrite-vectors.js';

type Standing = 'library' | 'archive' | 'lexical' | 'vectors';

/** Versions beside the live one. What is built there reaches a forgetting only when somebody goes on with it. */
const besideOf = (projection: Standing): string[] =>
  projection === 'vectors' ? [nextSlotName('vectors'), VECTORS_REWRITE] : [nextSlotName(projection)];

const withTables = async (client: Pool | PoolClient, slots: readonly string[]): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    'select nspname as name from pg_namespace where nspname = any ($1::text[])',
    [slots],
  );
  return rows.map(({ name }) => name);
};

/** The versions of a projection that have tables in Postgres now: the live one and those beside it. */
export const standingSlots = (pool: Pool, projection: Standing): Promise<string[]> =>
  withTables(pool, [projection, ...besideOf(projection)]);

/** Those beside the live one. */
export const slotsBeside = (pool: Pool, projection: Standing): Promise<string[]> =>
  withTables(pool, besideOf(projection));

/**
 * Changes rows of some slots. Whoever fills one of them waits, and none is swapped meanwhile: the row lock is on the
 * checkpoint, which a batch moves first, and keeps out the table lock of a swap.
 */
export const changeSlots = async (
  pool: Pool,
  slots: readonly string[],
  change: (client: PoolClient, slot: string) => Promise<void>,
): Promise<void> => {
  if (slots.length === 0) return;
  await inTransaction(pool, async (client) => {
    await client.query('select from cairn.projections where name = any ($1::text[]) for update', [slots]);
    for (const slot of await withTables(client, slots)) await change(client, slot);
  });
};
