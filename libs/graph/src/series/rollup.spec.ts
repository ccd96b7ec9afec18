import { describe, expect, it } from '@jest/globals';
import type { Observation } from '@cairn/contracts';
import fc from 'fast-check';
import { rounded } from './amount.js';
import { dayOf } from './buckets.js';
import { newestRows } from './newest.js';
import { lineOf, observationLine, observationsIn, purgedIn, rollupsIn } from './observation.js';
import { packItems, packLines } from './pack-lines.js';
import { foldDays, keptTotals } from './rollup.js';
import { activity } from './series.builder.js';
import { seriesRows, type Part } from './series-rows.js';
import { totalsOf } from './totals.js';

const METRIC = 'distance_meters';

const rows = fc.array(
  fc.record({
    id: fc.uuid(),
    at: fc.integer({ min: 0, max: 200 * 24 }).map((hours) => new Date(Date.UTC(2026, 0, 1, hours)).toISOString()),
    category: fc.constantFrom('Run', 'Ride', null),
    metrics: fc.double({ min: 0, max: 1e6, noNaN: true }).map((value) => ({ [METRIC]: rounded(value) })),
  }),
);

const liveParts = (observations: readonly Observation[]): Part[] =>
  observations.map(({ at, metrics }) => ({ origin: 'live', key: dayOf(at), totals: totalsOf(metrics[METRIC]!) }));

const keptParts = (observations: readonly Observation[]): Part[] =>
  foldDays(observations).map((row) => ({ origin: 'rollup', key: row.day, totals: keptTotals(row, METRIC)! }));

describe('roll-ups', () => {
  it.each(['sum', 'avg', 'min', 'max', 'count'] as const)(
    'have the %s of their rows, in every bucket',
    (aggregation) => {
      fc.assert(
        fc.property(rows, fc.constantFrom('day', 'week', 'month', null), (observations, group) => {
          const live = seriesRows(liveParts(observations), group, aggregation);
          expect(seriesRows(keptParts(observations), group, aggregation).rows).toEqual(live.rows);
        }),
      );
    },
  );

  it('keep each day and category apart, and the metrics that a row states', () => {
    const folded = foldDays([
      activity(1),
      activity(2, { metrics: { activities: 1 } }),
      activity(3, { category: null }),
      activity(4, { at: '2026-01-06T00:00:00.000Z' }),
    ]);
    expect(folded.map(({ day, category }) => [day, category])).toEqual([
      ['2026-01-05', 'Run'],
      ['2026-01-05', null],
      ['2026-01-06', 'Run'],
    ]);
    expect(folded[0]!.metrics).toEqual({
      activities: { sum: '2', count: 2, min: 1, max: 1 },
      [METRIC]: { sum: '10000', count: 1, min: 10_000, max: 10_000 },
    });
  });
});

describe('the lines of a batch', () => {
  it('return the written entries, each kind separately', () => {
    const [row, kept, purged] = [activity('a "quoted"\nid'), foldDays([activity(1)])[0]!, { purged: ['01ab', 'ff'] }];
    const text = [observationLine(row), lineOf(kept), lineOf(purged), 'no JSON', '{"id":1}', ''].join('\n');
    expect(observationsIn(text)).toEqual([row]);
    expect(rollupsIn(text)).toEqual([kept]);
    expect(purgedIn(text)).toEqual(['01ab', 'ff']);
  });

  it('are read without the fields that only a newer version knows', () => {
    const row = activity(1);
    const newer = JSON.stringify({ ...JSON.parse(observationLine(row)), device: 'watch' });
    expect(observationsIn(newer)).toEqual([row]);
  });

  it('are equal for equal rows, regardless of the order of the metrics', () => {
    const metrics = { b: 1, a: 2 };
    expect(observationLine(activity(1, { metrics }))).toBe(observationLine(activity(1, { metrics: { a: 2, b: 1 } })));
  });

  it('are packed a dozen to a chunk and 64 chunks to an item, none lost or cut', () => {
    const lines = Array.from({ length: 1_000 }, (_, i) => observationLine(activity(i)));
    const chunks = packLines(lines);
    expect(chunks.length).toBe(Math.ceil(1_000 / 12));
    expect(chunks.join('').split('\n').slice(0, -1)).toEqual(lines);
    expect(packItems(chunks).map(({ length }) => length)).toEqual([64, 20]);
  });

  it('are fewer per chunk if they are long', () => {
    const long = observationLine(activity('x'.repeat(128), { category: '☃'.repeat(120) }));
    expect(packLines(Array.from({ length: 24 }, () => long)).every((chunk) => chunk.length <= 2_880)).toBe(true);
  });
});

describe('the newest rows', () => {
  it('replace earlier rows of their id', () => {
    const found = newestRows([
      { ...activity(1), position: 5 },
      { ...activity(1, { category: 'Ride' }), position: 9 },
      { ...activity(2), position: 5 },
    ]);
    expect(found.map(({ id, category }) => [id, category])).toEqual([
      ['1', 'Ride'],
      ['2', 'Run'],
    ]);
  });
});
