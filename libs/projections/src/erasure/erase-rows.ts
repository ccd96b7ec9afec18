import type { Pool } from 'pg';
import type { Projection } from '../projection.js';
import { conditionIn, GIVEN, valuesOf, type Erasure, type RowsCondition, type Statement } from './erasure.js';
import type { Forgetting } from './forgettings.js';
import { changeSlots, slotsBeside, standingSlots } from './standing-slots.js';
import { dropUnknownVersions, orDrop, versionsOfOthers } from './versions-beside.js';

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
  const counts = await Promise.all(slots.map((slot) => leftIn(pool, slot, conditions, forgetting)));
  return counts.reduce((sum, count) => sum + count, 0);
};

const leftIn = async (
  pool: Pool,
  slot: string,
  conditions: Erasure['rows'],
  forgetting: Forgetting,
): Promise<number> => {
  const counts = conditionsOf(conditions).map(
    ([table, condition]) => `(select count(*) from ${slot}.${table} where ${conditionIn(slot, condition)})`,
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

/** The live rows of an awaited projection are already erased, in the transaction that made the item invisible. */
const slotsToErase = (pool: Pool, { name, isAwaited }: Projection): Promise<string[]> =>
  isAwaited ? slotsBeside(pool, name) : standingSlots(pool, name);

export const eraseRows = async (
  pool: Pool,
  projection: Projection,
  erasure: Erasure,
  forgetting: Forgetting,
): Promise<void> => {
  const eraseFrom = (slots: readonly string[]): Promise<void> =>
    changeSlots(pool, slots, async (client, slot) => {
      const statements = erasure.erase?.(slot, forgetting) ?? deletions(erasure, slot, forgetting);
      for (const [sql, values] of statements) await client.query(sql, [...values]);
    });
  await eraseFrom(await slotsToErase(pool, projection));
  await dropUnknownVersions(pool, projection);
  for (const version of await versionsOfOthers(pool, projection.name))
    await orDrop(pool, version, async () => {
      await eraseFrom([version]);
      // Also the proof must be possible there.
      await leftIn(pool, version, erasure.rows, forgetting);
    });
};
