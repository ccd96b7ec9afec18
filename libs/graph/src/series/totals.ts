import type { Aggregation } from '@cairn/contracts';
import { decimalOf, millionths } from './amount.js';

/** The totals of some rows of one metric: enough for every aggregation, also combined with other totals. */
export interface Totals {
  /** In millionths. */
  readonly sum: bigint;
  readonly count: number;
  readonly min: number;
  readonly max: number;
}

export const totalsOf = (value: number): Totals => ({ sum: millionths(value), count: 1, min: value, max: value });

export const merged = (a: Totals | undefined, b: Totals): Totals =>
  a
    ? {
        sum: a.sum + b.sum,
        count: a.count + b.count,
        min: Math.min(a.min, b.min),
        max: Math.max(a.max, b.max),
      }
    : b;

export const valueOf = (aggregation: Aggregation, { sum, count, min, max }: Totals): number => {
  switch (aggregation) {
    case 'sum':
      return Number(decimalOf(sum));
    case 'avg':
      return Number(decimalOf(sum)) / count;
    case 'min':
      return min;
    case 'max':
      return max;
    case 'count':
      return count;
  }
};
