import { z } from 'zod';
import {
  OBSERVATION_CATEGORY_CHARS_MAX,
  OBSERVATION_ID_CHARS_MAX,
  OBSERVATION_METRIC_MAX,
  SERIES_NAME_CHARS_MAX,
} from './limits.js';
import { text } from './text.js';

/** How the rows of a metric become one number; a query may choose another of these. */
export const AGGREGATIONS = ['sum', 'avg', 'min', 'max', 'count'] as const;
export const Aggregation = z.enum(AGGREGATIONS);
export type Aggregation = z.infer<typeof Aggregation>;

/** What is left of the rows: all of them, some of them, or only the aggregates. */
export const AGGREGATE_STATUSES = ['live', 'partial', 'aggregate_only'] as const;
export const AggregateStatus = z.enum(AGGREGATE_STATUSES);
export type AggregateStatus = z.infer<typeof AggregateStatus>;

/** Observations record the past or plans: a time outside these bounds is a mistake in the file. */
export const OBSERVED_FROM = '1970-01-01T00:00:00.000Z';
export const OBSERVED_BEFORE = '2100-01-01T00:00:00.000Z';

const ObservedAt = z.iso
  .datetime({ precision: 3 })
  .refine((at) => at >= OBSERVED_FROM && at < OBSERVED_BEFORE, 'must be in the years 1970 to 2099');

export const MetricAmount = z.number().min(0).max(OBSERVATION_METRIC_MAX);
export const MetricName = z.string().min(1).max(SERIES_NAME_CHARS_MAX);
export const ObservedCategory = text(1, OBSERVATION_CATEGORY_CHARS_MAX).nullable();

/** One row of a source: an activity, a listen. */
export const Observation = z.strictObject({
  id: text(1, OBSERVATION_ID_CHARS_MAX),
  at: ObservedAt,
  category: ObservedCategory,
  /** A metric that the row does not state is absent. */
  metrics: z.record(MetricName, MetricAmount),
});
export type Observation = Readonly<z.infer<typeof Observation>>;
