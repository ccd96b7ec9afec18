import { describe, expect, it } from '@jest/globals';
import { bucketOf, dayOf, monthOf, weekOf } from './buckets.js';

describe('buckets', () => {
  it.each([
    ['2026-01-05', '2026-01-05'],
    ['2026-01-11', '2026-01-05'],
    ['2026-01-12', '2026-01-12'],
    // The first ISO week of 2026 begins in December.
    ['2026-01-01', '2025-12-29'],
    ['2024-02-29', '2024-02-26'],
    ['1970-01-01', '1969-12-29'],
  ])('the week of %s is named by its Monday, %s', (day, monday) => {
    expect(weekOf(day)).toBe(monday);
  });

  it('are named by day, Monday and month', () => {
    const day = dayOf('2026-01-31T23:59:59.999Z');
    expect(['day', 'week', 'month'].map((group) => bucketOf(group as 'day', day))).toEqual([
      '2026-01-31',
      '2026-01-26',
      '2026-01',
    ]);
    expect(monthOf('2026-01-31T23:59:59.999Z')).toBe('2026-01');
  });
});
