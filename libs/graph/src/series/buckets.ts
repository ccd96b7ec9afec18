import type { TimeGroup } from './substrate.js';

const DAY_MS = 86_400_000;

/** The UTC day of an instant, `2026-01-31`. */
export const dayOf = (at: string): string => at.slice(0, 10);

/** The UTC month of an instant or a day, `2026-01`. */
export const monthOf = (at: string): string => at.slice(0, 7);

/** An ISO week begins on Monday and is named by that day. */
export const weekOf = (day: string): string => {
  const ms = Date.parse(`${day}T00:00:00Z`);
  const sinceMonday = (new Date(ms).getUTCDay() + 6) % 7;
  return new Date(ms - sinceMonday * DAY_MS).toISOString().slice(0, 10);
};

/** The name of the bucket that a day is in. */
export const bucketOf = (group: TimeGroup, day: string): string => {
  switch (group) {
    case 'day':
      return day;
    case 'week':
      return weekOf(day);
    case 'month':
      return monthOf(day);
  }
};
