import type { Pool, PoolClient } from 'pg';
import { inTransaction, nextSlotName, rewriteSlotName, slotsWithTables } from '../slots.js';

/** Versions next to the live one. Their build applies a forgetting only when it continues. */
const besideOf = (projection: string): string[] => [nextSlotName(projection), rewriteSlotName(projection)];

/** The versions of a projection that have tables in Postgres now: the live one and those next to it. */
export const standingSlots = (pool: Pool, projection: string): Promise<string[]> =>
  slotsWithTables(pool, [projection, ...besideOf(projection)]);

/** The versions next to the live one. */
export const slotsBeside = (pool: Pool, projection: string): Promise<string[]> =>
  slotsWithTables(pool, besideOf(projection));

/**
 * Changes rows of some slots. A projector that fills one of them waits, and none is swapped meanwhile: the row lock is on
 * the checkpoint, which a batch moves first, and it blocks the table lock of a swap.
 */
export const changeSlots = async (
  pool: Pool,
  slots: readonly string[],
  change: (client: PoolClient, slot: string) => Promise<void>,
): Promise<void> => {
  if (slots.length === 0) return;
  await inTransaction(pool, async (client) => {
    await client.query('select from cairn.projections where name = any ($1::text[]) for update', [slots]);
    for (const slot of await slotsWithTables(client, slots)) await change(client, slot);
  });
};
