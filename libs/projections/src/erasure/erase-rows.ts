import type { Pool } from 'pg';
import type { Projection } from '../projection.js';
import { conditionIn, GIVEN, valuesOf, type Erasure, type RowsCondition, type Statement } from './erasure.js';
import type { Forgetting } from './forgettings.js';
import { changeSlots, slotsBeside, standingSlots } from './standing-slots.js';
import { settleVersionsBeside, versionsOfOthers } from './versions-beside.js';

const conditionsOf = (rows: Erasure['rows']): (readonly [table: string, condition: RowsCondition])[] =>
  Object.entries(rows).flatMap(([table, condition]) => (condition === undefined ? [] : [[table, condition] as const]));

/** Counts the rows that a forgetting has left in all versions of a projection in Postgres. */
export const rowsLeft = async (
  pool: Pool,
  { name }: Projection,
  { rows: conditions }: Erasure,
  forgetting: Forgetting,
): Promise<number> => {
  const slots = [...(await standingSlots(pool, name)), ...(await versionsOfOthers(pool, name))];
  const counts = slots.flatMap((slot) =>
    conditionsOf(conditions).map(
      ([table, condition]) => `(select count(*) from ${slot}.${table} where ${conditionIn(slot, condition)})`,
    ),
  );
  if (counts.length === 0) return 0;
  const { rows } = await pool.query<{ n: number }>(`with ${GIVEN} select (${counts.join(' + ')})::int as n`, [
    ...valuesOf(forgetting),
  ]);
  return rows[0]!.n;
};

const deletions = ({ rows }: Erasure, slot: string, forgetting: Forgetting): Statement[] =>
  conditionsOf(rows).map(([table, condition]) => [
    `with ${GIVEN} delete from ${slot}.${table} where ${conditionIn(slot, condition)}`,
    valuesOf(forgetting),
  ]);

/**
 * The live rows of an awaited projection are already erased, in the transaction that made the item invisible, and so are
 * those of other builds that have passed the forgetting.
 */
const slotsToErase = async (pool: Pool, { name, isAwaited }: Projection): Promise<string[]> =>
  isAwaited ? slotsBeside(pool, name) : [...(await standingSlots(pool, name)), ...(await versionsOfOthers(pool, name))];

export const eraseRows = async (
  pool: Pool,
  projection: Projection,
  erasure: Erasure,
  forgetting: Forgetting,
): Promise<void> => {
  await settleVersionsBeside(pool, projection, forgetting);
  await changeSlots(pool, await slotsToErase(pool, projection), async (client, slot) => {
    const statements = erasure.erase?.(slot, forgetting) ?? deletions(erasure, slot, forgetting);
    for (const [sql, values] of statements) await client.query(sql, [...values]);
  });
};
