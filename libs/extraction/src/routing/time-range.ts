import type { ParsedComponents, ParsedResult } from 'chrono-node';
import { casual } from 'chrono-node/en';

export interface TimeRange {
  /** The words of the query that state the time. */
  readonly text: string;
  /** Days in UTC, both inclusive. */
  readonly from: string;
  readonly to: string;
}

const DAY_MS = 86_400_000;

const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const startOfDay = (ms: number): number => ms - (((ms % DAY_MS) + DAY_MS) % DAY_MS);

const monthEnd = (year: number, month: number): number => Date.UTC(year, month, 0);

/** Weeks, months and years for which chrono returns a single day. ISO weeks begin on Monday. */
const PERIODS: readonly (readonly [RegExp, (nowMs: number) => [number, number]])[] = [
  [
    /\b(this|last|past|previous) week\b/i,
    (nowMs) => {
      const monday = startOfDay(nowMs) - ((new Date(nowMs).getUTCDay() + 6) % 7) * DAY_MS;
      return [monday, monday + 6 * DAY_MS];
    },
  ],
  [
    /\b(this|last|past|previous) month\b/i,
    (nowMs) => {
      const now = new Date(nowMs);
      return [
        Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1),
        monthEnd(now.getUTCFullYear(), now.getUTCMonth() + 1),
      ];
    },
  ],
  [
    /\b(this|last|past|previous) year\b/i,
    (nowMs) => {
      const year = new Date(nowMs).getUTCFullYear();
      return [Date.UTC(year, 0, 1), Date.UTC(year, 11, 31)];
    },
  ],
];

/** An instant in the period before the one that holds `nowMs`. */
const earlier = (nowMs: number, text: string): number => {
  const now = new Date(nowMs);
  if (/week/i.test(text)) return nowMs - 7 * DAY_MS;
  if (/month/i.test(text)) return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15);
  return Date.UTC(now.getUTCFullYear() - 1, 6, 1);
};

const periodIn = (query: string, nowMs: number): TimeRange | undefined => {
  for (const [pattern, bounds] of PERIODS) {
    const found = pattern.exec(query);
    if (!found) continue;
    const [from, to] = bounds(found[1]!.toLowerCase() === 'this' ? nowMs : earlier(nowMs, found[0]));
    return { text: found[0], from: utcDay(from), to: utcDay(to) };
  }
  return undefined;
};

/** The first and last day of a date: for a month without a day, the whole month. */
const daysOf = (date: ParsedComponents): [number, number] => {
  const [year, month, day] = (['year', 'month', 'day'] as const).map((part) => date.get(part) ?? 1) as [
    number,
    number,
    number,
  ];
  if (date.isCertain('day') || date.isCertain('weekday') || !date.isCertain('month')) {
    const ms = Date.UTC(year, month - 1, day);
    return [ms, ms];
  }
  return [Date.UTC(year, month - 1, 1), monthEnd(year, month)];
};

/** Written texts lie in the past: a bare weekday or month means the last one, even if that was in another year. */
const inThePast = ({ start }: ParsedResult, [from, to]: [number, number], nowMs: number): [number, number] => {
  if (from <= nowMs) return [from, to];
  if (start.isCertain('weekday') && !start.isCertain('day')) return [from - 7 * DAY_MS, to - 7 * DAY_MS];
  if (start.isCertain('year') || !start.isCertain('month')) return [from, to];
  const [first, last] = [new Date(from), new Date(to)];
  const month = last.getUTCMonth() + 1;
  return start.isCertain('day')
    ? [
        Date.UTC(first.getUTCFullYear() - 1, first.getUTCMonth(), first.getUTCDate()),
        Date.UTC(last.getUTCFullYear() - 1, last.getUTCMonth(), last.getUTCDate()),
      ]
    : [Date.UTC(first.getUTCFullYear() - 1, first.getUTCMonth(), 1), monthEnd(last.getUTCFullYear() - 1, month)];
};

/** "between A and B", "from A until B": two expressions that are the ends of one range. */
const secondEnd = (query: string, [first, second]: readonly ParsedResult[]): ParsedResult | undefined => {
  if (!first || !second) return undefined;
  const between = query.slice(first.index + first.text.length, second.index).trim();
  return /^(?:and|to|until|till|through|[-–])$/i.test(between) ? second : undefined;
};

const DATE_PARTS = ['day', 'weekday', 'month', 'year'] as const;

/** A time of day alone ("night", "at noon") names no day, unless it refers to today. */
const namesDay = ({ start, text }: ParsedResult): boolean =>
  DATE_PARTS.some((part) => start.isCertain(part)) || /^this\b/i.test(text);

/** "since A" lasts until now. */
const isSince = (query: string, { index }: ParsedResult): boolean => /\bsince\s+$/i.test(query.slice(0, index));

/** The time expression of a query, as whole days in UTC. The time of the query is an argument: no clock is read. */
export const timeRangeIn = (query: string, nowMs: number): TimeRange | undefined => {
  const period = periodIn(query, nowMs);
  if (period) return period;
  const found = casual.parse(query, { instant: new Date(nowMs), timezone: 0 }).filter(namesDay);
  const [start] = found;
  if (!start) return undefined;
  const [first, last] = inThePast(start, daysOf(start.start), nowMs);
  const end = secondEnd(query, found);
  const until = end?.start ?? start.end;
  const to = until ? daysOf(until)[1] : isSince(query, start) ? startOfDay(nowMs) : last;
  const text = query.slice(start.index, (end ?? start).index + (end ?? start).text.length);
  return { text, from: utcDay(first), to: utcDay(Math.max(first, to)) };
};
