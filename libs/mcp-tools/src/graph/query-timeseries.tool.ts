import { AggregateStatus, Aggregation, DayOrTime, SERIES_NAME_CHARS_MAX, text, type Wire } from '@cairn/contracts';
import { SUBSTRATES } from '@cairn/graph';
import { z } from 'zod';
import { oneLine } from '../hit-list.js';
import { defineGraphTool, READS_GRAPH } from './graph-tool.js';
import { queryTimeseriesHints } from './hints/query-timeseries.hints.js';

const TABLES = Object.entries(SUBSTRATES)
  .map(
    ([source, { name, category, metrics }]) =>
      `${source} (table ${name}; metrics ${Object.keys(metrics).join(', ')}; category ${category.name})`,
  )
  .join('; ');

const name = (what: string) => text(1, SERIES_NAME_CHARS_MAX).describe(what);
const time = (what: string) => DayOrTime.describe(what);

const input = z.strictObject({
  source: name('The connector whose table is read, such as strava.'),
  metric: name('What is added up, such as distance_meters.'),
  range: z
    .strictObject({
      from: time('First day, such as 2026-01-01, or an ISO-8601 time.'),
      to: time('The day or time before which the range ends.'),
    })
    .describe('Both ends are required; there is no default. In UTC, the end excluded, at most ten years.'),
  aggregation: Aggregation.optional().describe('The metric’s own when left out: sum for all metrics so far.'),
  group_by: text(1, SERIES_NAME_CHARS_MAX)
    .optional()
    .describe('day, week (named by its Monday), month, or the category of the source. One row when left out.'),
});
export type QueryTimeseriesArgs = z.output<typeof input>;

const output = z.strictObject({
  rows: z
    .array(z.strictObject({ bucket: z.string(), value: z.number(), count: z.int() }))
    .describe('Time from the oldest bucket, categories from the largest value. Empty buckets are left out.'),
  metadata: z.strictObject({
    source: z.string(),
    table: z.string(),
    metric: z.string(),
    unit: z.string(),
    aggregation: Aggregation,
    group_by: z.string().nullable(),
    range: z.strictObject({ from: z.string(), to: z.string() }),
    timezone: z.literal('UTC'),
    aggregate_status: AggregateStatus.describe(
      'live: from stored rows. partial: some rows were purged, their daily totals are counted. aggregate_only: only such totals are left.',
    ),
    truncated: z.literal(true).exactOptional().describe('Present when there are more buckets than are returned.'),
    stale: z.literal(true).exactOptional().describe('Present when the newest import may be missing.'),
  }),
});
export type QueryTimeseriesAnswer = Wire<typeof output>;

const CAVEATS: Readonly<Record<AggregateStatus, string>> = {
  live: '',
  partial: '\n\nSome rows were purged: their daily totals are counted, the rows themselves are gone.',
  aggregate_only: '\n\nThe rows were purged: only daily totals are left.',
};

const tableOf = ({ rows, metadata }: QueryTimeseriesAnswer): string => {
  const { metric, unit, aggregation, group_by, range, aggregate_status } = metadata;
  const title = `${aggregation} of ${metric} (${unit}) from ${range.from} to before ${range.to}`;
  if (rows.length === 0) return `No rows: ${title}.`;
  const lines = rows.map(({ bucket, value, count }) => `${oneLine(bucket)} | ${value} | ${count}`);
  return [`${title}`, '', `${group_by ?? 'bucket'} | value | count`, ...lines].join('\n') + CAVEATS[aggregate_status];
};

export const queryTimeseries = defineGraphTool({
  name: 'carabase_query_timeseries',
  title: 'Query a time series',
  description:
    'Aggregates the rows of a connected source over a range of time, by day, week, month or category, so that nothing ' +
    `has to be added up afterwards. Sources: ${TABLES}. metadata.aggregate_status says whether rows were purged.`,
  when: 'for numbers over time from a connected source, such as kilometres run per week.',
  input,
  output,
  ...READS_GRAPH,
  cameFrom: { groupBy: 'group_by' },
  hints: queryTimeseriesHints,
  handle: async ({ source, metric, range, aggregation, group_by }, { cairn }) => {
    const answer = await cairn.query('series.query', {
      source,
      metric,
      range,
      ...(aggregation && { aggregation }),
      ...(group_by !== undefined && { groupBy: group_by }),
    });
    const structured: QueryTimeseriesAnswer = {
      rows: answer.rows.map(({ bucket, value, count }) => ({ bucket, value, count })),
      metadata: {
        source,
        table: answer.table,
        metric,
        unit: answer.unit,
        aggregation: answer.aggregation,
        group_by: group_by ?? null,
        range,
        timezone: 'UTC',
        aggregate_status: answer.aggregateStatus,
        ...(answer.isTruncated && { truncated: true as const }),
        ...(answer.stale && { stale: true as const }),
      },
    };
    const { rowsLive: rows_live, rowsRollup: rows_rollup } = answer;
    return { text: tableOf(structured), structured, trace: { rows_live, rows_rollup } };
  },
});
