import { z } from 'zod';
import { placed, type Wire } from './answer.js';
import { SERIES_NAME_CHARS_MAX } from './limits.js';
import { defineQuery } from './query-definition.js';
import { AggregateStatus, Aggregation } from './series-words.js';
import { DayOrTime, text } from './text.js';

const name = text(1, SERIES_NAME_CHARS_MAX);

export const SeriesRow = z.object({ bucket: z.string(), value: z.number(), count: z.int() });

const SeriesAnswer = z.object({
  rows: z.array(SeriesRow),
  isTruncated: z.boolean(),
  table: z.string(),
  unit: z.string(),
  aggregation: Aggregation,
  aggregateStatus: AggregateStatus,
  /** Observations behind the answer: stored rows, and rows of which only totals are left. */
  rowsLive: z.int(),
  rowsRollup: z.int(),
  /** The folders of the rows, for the gateway's last check. */
  folders: z.array(z.object(placed)),
  stale: z.boolean(),
});
export type SeriesAnswer = Wire<typeof SeriesAnswer>;

/** Aggregated rows of a connector's table, limited to those that the caller may see. */
export const QuerySeries = defineQuery(
  'series.query',
  z.strictObject({
    source: name,
    metric: name,
    range: z.strictObject({ from: DayOrTime, to: DayOrTime }),
    /** Defaults to the metric's own aggregation. */
    aggregation: Aggregation.optional(),
    /** If absent, the answer is one row. */
    groupBy: name.optional(),
  }),
  SeriesAnswer,
);
