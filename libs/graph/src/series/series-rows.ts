import { SERIES_BUCKETS_MAX, type AggregateStatus, type Aggregation } from '@cairn/contracts';
import { bucketOf } from './buckets.js';
import type { Grouping } from './substrate.js';
import { merged, valueOf, type Totals } from './totals.js';

/** The one bucket of a query that does not group, and the bucket of rows without a category. */
export const ALL_BUCKET = 'all';
export const NO_CATEGORY_BUCKET = '(none)';

/** Rows of one day, or of one category, or all of them, depending on the grouping. */
export interface Part {
  readonly origin: 'live' | 'rollup';
  /** The day or the category; null for rows without a category, and without grouping. */
  readonly key: string | null;
  readonly totals: Totals;
}

export interface SeriesRow {
  readonly bucket: string;
  readonly value: number;
  readonly count: number;
}

export interface SeriesRows {
  readonly rows: readonly SeriesRow[];
  readonly isTruncated: boolean;
  readonly aggregateStatus: AggregateStatus;
  readonly rowsLive: number;
  readonly rowsRollup: number;
}

const bucketOfPart = (grouping: Grouping, key: string | null): string => {
  if (grouping === null) return ALL_BUCKET;
  if (grouping === 'category') return key ?? NO_CATEGORY_BUCKET;
  return bucketOf(grouping, key!);
};

const byBucket = (a: SeriesRow, b: SeriesRow): number => (a.bucket < b.bucket ? -1 : a.bucket > b.bucket ? 1 : 0);
const byValue = (a: SeriesRow, b: SeriesRow): number => b.value - a.value || byBucket(a, b);

/** What is left of the rows: all of them, some of them, or only the aggregates. */
export const statusOf = (rowsLive: number, rowsRollup: number): AggregateStatus => {
  if (rowsRollup === 0) return 'live';
  return rowsLive === 0 ? 'aggregate_only' : 'partial';
};

const counted = (parts: readonly Part[], origin: Part['origin']): number =>
  parts.reduce((sum, part) => (part.origin === origin ? sum + part.totals.count : sum), 0);

/**
 * The rows of an answer: times with the oldest bucket first, categories with the largest value first. Empty buckets are
 * left out.
 */
export const seriesRows = (parts: readonly Part[], grouping: Grouping, aggregation: Aggregation): SeriesRows => {
  const buckets = new Map<string, Totals>();
  for (const { key, totals } of parts) {
    const bucket = bucketOfPart(grouping, key);
    buckets.set(bucket, merged(buckets.get(bucket), totals));
  }
  const rows = [...buckets].map(([bucket, totals]) => ({
    bucket,
    value: valueOf(aggregation, totals),
    count: totals.count,
  }));
  rows.sort(grouping === 'category' ? byValue : byBucket);
  const [rowsLive, rowsRollup] = [counted(parts, 'live'), counted(parts, 'rollup')];
  return {
    rows: rows.slice(0, SERIES_BUCKETS_MAX),
    isTruncated: rows.length > SERIES_BUCKETS_MAX,
    aggregateStatus: statusOf(rowsLive, rowsRollup),
    rowsLive,
    rowsRollup,
  };
};
