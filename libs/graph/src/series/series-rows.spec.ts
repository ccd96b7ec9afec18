import { describe, expect, it } from '@jest/globals';
import { SERIES_BUCKETS_MAX } from '@cairn/contracts';
import { seriesRows, type Part } from './series-rows.js';
import { groupingOf, requiredMetric, requiredSubstrate, SUBSTRATES } from './substrate.js';
import { totalsOf } from './totals.js';

const part = (key: string | null, value: number, origin: Part['origin'] = 'live'): Part => ({
  origin,
  key,
  totals: totalsOf(value),
});

describe('the rows of a series', () => {
  it('are one row without grouping', () => {
    expect(seriesRows([part(null, 1), part(null, 2)], null, 'sum').rows).toEqual([
      { bucket: 'all', value: 3, count: 2 },
    ]);
  });

  it('leave out empty buckets and begin with the oldest', () => {
    const { rows } = seriesRows([part('2026-03-01', 1), part('2026-01-01', 2)], 'month', 'sum');
    expect(rows.map(({ bucket }) => bucket)).toEqual(['2026-01', '2026-03']);
  });

  it('of categories begin with the largest value; a row without one has its own bucket', () => {
    const { rows } = seriesRows([part('Run', 1), part(null, 5), part('Ride', 2), part('Alp', 1)], 'category', 'sum');
    expect(rows.map(({ bucket }) => bucket)).toEqual(['(none)', 'Ride', 'Alp', 'Run']);
  });

  it.each([
    [[part('2026-01-01', 1)], 'live'],
    [[part('2026-01-01', 1), part('2026-01-01', 1, 'rollup')], 'partial'],
    [[part('2026-01-01', 1, 'rollup')], 'aggregate_only'],
    [[], 'live'],
  ] as const)('of %j have the status %s', (parts, status) => {
    expect(seriesRows(parts, 'day', 'sum').aggregateStatus).toBe(status);
  });

  it('are bounded', () => {
    const parts = Array.from({ length: SERIES_BUCKETS_MAX + 1 }, (_, i) => part(`artist ${i}`, i));
    const { rows, isTruncated } = seriesRows(parts, 'category', 'sum');
    expect([rows.length, isTruncated, rows[0]!.bucket]).toEqual([
      SERIES_BUCKETS_MAX,
      true,
      `artist ${SERIES_BUCKETS_MAX}`,
    ]);
  });
});

describe('a substrate', () => {
  it('is found by its source, its metrics and its groups', () => {
    const table = requiredSubstrate('strava');
    expect(table).toBe(SUBSTRATES.strava);
    expect(requiredMetric(table, 'distance_meters').unit).toBe('m');
    expect([undefined, 'week', 'activity_type'].map((group) => groupingOf(table, group))).toEqual([
      null,
      'week',
      'category',
    ]);
  });

  it.each(['toString', '__proto__', 'garmin', ''])('is refused under another name: %s', (name) => {
    expect(() => requiredSubstrate(name)).toThrow(expect.objectContaining({ code: 'series.unknown_source' }));
    expect(() => requiredMetric(SUBSTRATES.tidal, name)).toThrow(
      expect.objectContaining({ code: 'series.unknown_metric' }),
    );
    expect(() => groupingOf(SUBSTRATES.tidal, name)).toThrow(expect.objectContaining({ code: 'series.unknown_group' }));
  });
});
