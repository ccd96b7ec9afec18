import type { Observation } from '@cairn/contracts';
import { amountOf, decimalOf } from './amount.js';
import { dayOf } from './buckets.js';
import type { RollupRow } from './observation.js';
import { merged, totalsOf, type Totals } from './totals.js';

const keyOf = (day: string, category: string | null): string => JSON.stringify([day, category]);

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/**
 * Folds rows into one entry for each day and category, in that order; a purge keeps these entries instead of the rows.
 */
export const foldDays = (rows: readonly Observation[]): RollupRow[] => {
  const days = new Map<string, { day: string; category: string | null; metrics: Map<string, Totals> }>();
  for (const { at, category, metrics } of rows) {
    const key = keyOf(dayOf(at), category);
    const entry = days.get(key) ?? { day: dayOf(at), category, metrics: new Map<string, Totals>() };
    days.set(key, entry);
    for (const [name, value] of Object.entries(metrics))
      entry.metrics.set(name, merged(entry.metrics.get(name), totalsOf(value)));
  }
  return [...days].sort(byKey).map(([, { day, category, metrics }]) => ({
    day,
    category,
    metrics: Object.fromEntries(
      [...metrics].sort(byKey).map(([name, { sum, ...rest }]) => [name, { sum: decimalOf(sum), ...rest }]),
    ),
  }));
};

/** The totals of a metric in a roll-up. */
export const keptTotals = ({ metrics }: RollupRow, metric: string): Totals | undefined => {
  const kept = Object.hasOwn(metrics, metric) ? metrics[metric] : undefined;
  return kept && { ...kept, sum: amountOf(kept.sum)! };
};
