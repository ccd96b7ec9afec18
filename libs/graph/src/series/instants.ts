import { fail, SERIES_RANGE_YEARS_MAX } from '@cairn/contracts';

/** The first instant of a day in UTC, or the given instant itself. */
export const instantOf = (dayOrTime: string): string => new Date(dayOrTime).toISOString();

/** Includes `from` and excludes `to`, both in UTC. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

const yearsLater = (instant: string, years: number): number => {
  const at = new Date(instant);
  return at.setUTCFullYear(at.getUTCFullYear() + years);
};

export const rangeOf = (given: Range): Range => {
  const from = instantOf(given.from);
  const to = instantOf(given.to);
  if (from >= to) throw fail('input.invalid', 'range.to must be after range.from', { field: 'range.to' });
  if (Date.parse(to) > yearsLater(from, SERIES_RANGE_YEARS_MAX)) {
    const message = `range.to must be at most ${SERIES_RANGE_YEARS_MAX} years after range.from`;
    throw fail('input.invalid', message, { field: 'range.to', limit: SERIES_RANGE_YEARS_MAX });
  }
  return { from, to };
};
