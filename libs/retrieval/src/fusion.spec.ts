import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { LegName, LegResult, ScoredId } from './candidate.js';
import { cosineOnly, keywordOnly, rrfFusion, weightedFusion, type Fusion, type FusedHit } from './fusion.js';

const hits = (...entries: [string, number][]): ScoredId[] => entries.map(([id, score]) => ({ id, score }));

const arbitraryLeg = (leg: LegName) =>
  fc
    .uniqueArray(
      fc.record({ id: fc.constantFrom(...'abcdefghij'), score: fc.double({ min: -1, max: 30, noNaN: true }) }),
      {
        selector: ({ id }) => id,
      },
    )
    .map((found): LegResult => ({ leg, hits: found }));

const FUSIONS: [Fusion, LegName[]][] = [
  [weightedFusion, ['vector', 'bm25']],
  [rrfFusion, ['vector', 'fulltext', 'title']],
  [cosineOnly, ['vector']],
  [keywordOnly, ['bm25']],
];

describe.each(FUSIONS)('fusion $name', (fusion, legs) => {
  const results = fc.tuple(...legs.map(arbitraryLeg));

  it('explains every score: the contributions add up to it', () => {
    fc.assert(
      fc.property(results, (found) => {
        for (const { score, legs: explained } of fusion.fuse(found)) {
          expect(explained.reduce((sum, { contribution }) => sum + contribution, 0)).toBe(score);
          for (const { weight, normalizedScore, contribution } of explained)
            expect(weight * normalizedScore).toBe(contribution);
        }
      }),
    );
  });

  it('never ranks a lower score above a higher one; ties go to the hit that contains the words, then to the smaller id', () => {
    const nearness = ({ legs }: FusedHit): number => legs.find(({ leg }) => leg === 'vector')?.contribution ?? 0;
    fc.assert(
      fc.property(results, (found) => {
        const ranked = fusion.fuse(found);
        ranked.slice(1).forEach((hit, i) => {
          const before = ranked[i]!;
          const order = [before.score - hit.score, nearness(hit) - nearness(before), before.id < hit.id ? 1 : -1];
          expect(order.find((step) => step !== 0)).toBeGreaterThan(0);
        });
      }),
    );
  });

  it('counts 0 for a leg that did not return the hit', () => {
    fc.assert(
      fc.property(results, (found) => {
        for (const hit of fusion.fuse(found)) {
          for (const { leg, hits: candidates } of found) {
            const explained = hit.legs.find((entry) => entry.leg === leg)!;
            if (candidates.some(({ id }) => id === hit.id)) expect(explained.rank).toBeGreaterThan(0);
            else expect(explained).toMatchObject({ rank: null, rawScore: null, normalizedScore: 0, contribution: 0 });
          }
        }
      }),
    );
  });

  it('returns each candidate once, regardless of the order of the legs', () => {
    fc.assert(
      fc.property(results, (found) => {
        const ids = fusion.fuse(found).map(({ id }) => id);
        expect(new Set(ids)).toEqual(new Set(found.flatMap((leg) => leg.hits.map(({ id }) => id))));
        const reversed = found.map((leg) => ({ ...leg, hits: [...leg.hits].reverse() })).reverse();
        expect(fusion.fuse(reversed).map(({ id }) => id)).toEqual(ids);
      }),
    );
  });
});

describe('weighted fusion', () => {
  it('[G-15] blends 70 % of the normalised cosine with 30 % of the normalised keyword score', () => {
    const fused = weightedFusion.fuse([
      { leg: 'vector', hits: hits(['a', 0.9], ['b', 0.7], ['c', 0.5]) },
      { leg: 'bm25', hits: hits(['b', 12], ['d', 4]) },
    ]);
    expect(fused.map(({ id, score }) => [id, score])).toEqual([
      ['a', 0.7],
      ['b', 0.7 * ((0.7 - 0.5) / (0.9 - 0.5)) + 0.3],
      ['c', 0],
      ['d', 0],
    ]);
  });

  it('treats all hits of a leg with equal scores as the best', () => {
    const [hit] = weightedFusion.fuse([{ leg: 'bm25', hits: hits(['a', 3]) }]);
    expect(hit).toMatchObject({ id: 'a', score: 0.3 });
  });
});

describe('reciprocal rank fusion', () => {
  const naive = (found: readonly LegResult[]): Map<string, number> => {
    const sums = new Map<string, number>();
    for (const { hits: candidates } of found) {
      const order = [...candidates].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
      order.forEach(({ id }, i) => sums.set(id, (sums.get(id) ?? 0) + 1 / (60 + i + 1)));
    }
    return sums;
  };

  it('[D-34] fuses by RRF with k = 60', () => {
    const legs = fc.tuple(arbitraryLeg('vector'), arbitraryLeg('fulltext'), arbitraryLeg('title'));
    fc.assert(
      fc.property(legs, (found) => {
        const expected = naive(found);
        const fused = new Map(rrfFusion.fuse(found).map((hit): [string, FusedHit] => [hit.id, hit]));
        expect(fused.size).toBe(expected.size);
        for (const [id, raw] of expected) {
          expect(fused.get(id)!.rawScore).toBeCloseTo(raw, 12);
          expect(fused.get(id)!.score).toBeCloseTo(raw / (3 / 61), 12);
        }
      }),
    );
  });

  it('gives 1 to a hit that is first in all three legs', () => {
    const found = (['vector', 'fulltext', 'title'] as const).map((leg) => ({ leg, hits: hits(['a', 1]) }));
    expect(rrfFusion.fuse(found)[0]!.score).toBeCloseTo(1, 12);
  });
});

describe('a limit', () => {
  it('returns the first hits of the full result, with the same explanations', () => {
    const found: LegResult[] = [
      { leg: 'vector', hits: hits(['a', 0.9], ['b', 0.8], ['c', 0.1]) },
      { leg: 'bm25', hits: hits(['c', 7], ['d', 3], ['a', 1]) },
    ];
    expect(weightedFusion.fuse(found, 2)).toEqual(weightedFusion.fuse(found).slice(0, 2));
    expect(weightedFusion.fuse(found, 0)).toEqual([]);
  });
});

describe('single legs', () => {
  it('[G-11] keep the cosine itself as the score in semantic mode', () => {
    expect(
      cosineOnly.fuse([{ leg: 'vector', hits: hits(['a', 0.83], ['b', -0.1]) }]).map(({ score }) => score),
    ).toEqual([0.83, -0.1]);
  });

  it('normalise keyword scores to 0..1', () => {
    const fused = keywordOnly.fuse([{ leg: 'bm25', hits: hits(['a', 9], ['b', 5], ['c', 1]) }]);
    expect(fused.map(({ score }) => score)).toEqual([1, 0.5, 0]);
  });
});
