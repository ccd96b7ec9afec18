import { SERIES_RANGE_YEARS_MAX } from '@cairn/contracts';
import { substrateOf } from '@cairn/graph';
import type { AppError } from '@cairn/kernel';
import { quote, type NextCall, type ToolHints, type Trail } from '../../hint.js';
import type { QueryTimeseriesAnswer, QueryTimeseriesArgs } from '../query-timeseries.tool.js';
import { commonFailure, nextCall } from './common.hints.js';

const TOOL = 'carabase_query_timeseries';

type Given = Readonly<Record<string, unknown>>;

const inYears = (dayOrTime: string, years: number): string => {
  const at = new Date(dayOrTime);
  at.setUTCFullYear(at.getUTCFullYear() + years);
  return at.toISOString();
};

/** ISO-8601 gives years outside these four digits a sign. */
const hasPlainYear = (time: string): boolean => /^\d{4}-/.test(time) && !time.startsWith('0000');

/** The longest range that is allowed, centred on the given one; none if that one is as long. */
const widened = (args: QueryTimeseriesArgs): NextCall[] => {
  const { from, to } = args.range;
  const end = Date.parse(to);
  if (Date.parse(inYears(from, SERIES_RANGE_YEARS_MAX)) <= end) return [];
  const middle = new Date((Date.parse(from) + end) / 2).toISOString().slice(0, 10);
  const first = inYears(middle, -SERIES_RANGE_YEARS_MAX / 2);
  const last = inYears(first, SERIES_RANGE_YEARS_MAX);
  if (!hasPlainYear(first) || !hasPlainYear(last)) return [];
  return [nextCall(TOOL, { ...args, range: { from: first.slice(0, 10), to: last.slice(0, 10) } })];
};

const noRows = (args: QueryTimeseriesArgs): Trail => {
  const { source, metric, range } = args;
  return {
    hint: {
      kind: 'timeseriesNoRows',
      message:
        `There are no rows of ${source} between ${range.from} and ${range.to} that this token may see. ` +
        'Try another range, earlier or later.',
      next: widened(args),
    },
    trace: { source, metric, buckets: 0, rows_live: 0, rows_rollup: 0 },
    traced: `read ${metric} of ${source} from ${range.from} to ${range.to} → 0 rows`,
  };
};

const names = (details: AppError['details'], field: string): string[] =>
  Array.isArray(details[field]) ? (details[field] as unknown[]).map(String) : [];

/** The call with an existing name in place of the unknown one. */
const corrected = (args: Given, { code, details }: AppError): NextCall[] => {
  const [source] = code === 'series.unknown_source' ? names(details, 'sources') : [String(args['source'])];
  const [metric] =
    code === 'series.unknown_group'
      ? [String(args['metric'])]
      : [...names(details, 'metrics'), ...Object.keys(substrateOf(source ?? '')?.metrics ?? {})];
  const group = code === 'series.unknown_metric' ? args['group_by'] : 'month';
  return metric === undefined
    ? []
    : [nextCall(TOOL, { ...args, source, metric, ...(args['group_by'] !== undefined && { group_by: group }) })];
};

const UNKNOWN: Readonly<Record<string, readonly [argument: string, list: string]>> = {
  'series.unknown_source': ['source', 'sources'],
  'series.unknown_metric': ['metric', 'metrics'],
  'series.unknown_group': ['group_by', 'groups'],
};

const unknown = (args: Given, error: AppError): Trail => {
  const [argument, list] = UNKNOWN[error.code]!;
  const known = names(error.details, list);
  return {
    hint: {
      kind: 'timeseriesUnknown',
      message: `There is no ${argument} ${quote(args[argument])}. Known ${list}: ${known.join(', ')}.`,
      next: corrected(args, error),
    },
    trace: { source: args['source'], metric: args['metric'], failed: error.code, [list]: known },
    traced: `${TOOL} failed with ${error.code} at ${argument}`,
  };
};

export const queryTimeseriesHints: ToolHints<QueryTimeseriesArgs, QueryTimeseriesAnswer> = {
  empty: ({ args, structured }) => (structured.rows.length === 0 ? noRows(args) : undefined),
  error: ({ args, error }) =>
    Object.hasOwn(UNKNOWN, error.code)
      ? unknown(args, error)
      : commonFailure({ tool: TOOL, args, error, trace: { source: args['source'], metric: args['metric'] } }),
};
