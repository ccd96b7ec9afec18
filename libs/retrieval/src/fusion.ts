import type { LegExplanation } from '@cairn/contracts';
import { HYBRID_WEIGHTS } from '@cairn/ranking';
import type { LegName, LegResult, ScoredId } from './candidate.js';

/** A hit after fusion. `legs` explains it: the contributions add up to `score`. */
export interface FusedHit {
  readonly id: string;
  readonly score: number;
  /** The score before normalisation to 0..1; equal to `score` without normalisation. */
  readonly rawScore: number;
  readonly legs: readonly LegExplanation[];
}

/** A named, versioned way to combine legs: its name is part of every explanation. */
export interface Fusion {
  readonly name: string;
  /** Best first; only the first `limit` are explained, because that costs more than ranking them all. */
  fuse(results: readonly LegResult[], limit?: number): FusedHit[];
}

interface Ranked {
  readonly rank: number;
  readonly rawScore: number;
  readonly normalizedScore: number;
}

type Normalize = (hits: readonly ScoredId[]) => (hit: ScoredId, index: number) => number;

const RRF_K = 60;

const byScoreThenId = (a: ScoredId, b: ScoredId): number => b.score - a.score || (a.id < b.id ? -1 : 1);

/** The best is 1 and the worst 0; if all are equal, all are the best. */
const minMax: Normalize = (hits) => {
  const best = hits[0]?.score ?? 0;
  const worst = hits.at(-1)?.score ?? 0;
  return ({ score }) => (best === worst ? 1 : (score - worst) / (best - worst));
};

const reciprocalRank: Normalize = () => (_, index) => (RRF_K + 1) / (RRF_K + 1 + index);

const asIs: Normalize = () => (hit) => hit.score;

const rank = (hits: readonly ScoredId[], normalize: Normalize): Map<string, Ranked> => {
  const sorted = [...hits].sort(byScoreThenId);
  const scoreOf = normalize(sorted);
  return new Map(
    sorted.map((hit, i) => [hit.id, { rank: i + 1, rawScore: hit.score, normalizedScore: scoreOf(hit, i) }]),
  );
};

interface Scored extends ScoredId {
  readonly nearness: number;
}

/**
 * Of two equal hits, the one that contains the words precedes the one that is only near in meaning: every query is near
 * something.
 */
const byScoreThenWords = (a: Scored, b: Scored): number =>
  b.score - a.score || a.nearness - b.nearness || byScoreThenId(a, b);

/** Adds up each leg's normalised score times its weight; a hit that a leg did not return counts 0 there. */
const linear = (
  name: string,
  weights: Readonly<Partial<Record<LegName, number>>>,
  normalize: Normalize,
  rawOf: (score: number) => number = (score) => score,
): Fusion => {
  const legs = Object.entries(weights) as [LegName, number][];
  const fuse = (results: readonly LegResult[], limit = Infinity): FusedHit[] => {
    const ranked = new Map(results.map(({ leg, hits }) => [leg, rank(hits, normalize)]));
    const ids = new Set(legs.flatMap(([leg]) => [...(ranked.get(leg)?.keys() ?? [])]));
    const explain = (id: string): LegExplanation[] => legs.map(([leg, weight]) => entry(leg, weight, ranked, id));
    return [...ids]
      .map((id) => scoredOf(id, legs, ranked))
      .sort(byScoreThenWords)
      .slice(0, limit)
      .map(({ id, score }) => ({ id, score, rawScore: rawOf(score), legs: explain(id) }));
  };
  return { name, fuse };
};

type RankedLegs = ReadonlyMap<LegName, ReadonlyMap<string, Ranked>>;

const scoredOf = (id: string, legs: readonly [LegName, number][], ranked: RankedLegs): Scored => {
  let [score, nearness] = [0, 0];
  for (const [leg, weight] of legs) {
    const contribution = weight * (ranked.get(leg)?.get(id)?.normalizedScore ?? 0);
    score += contribution;
    if (leg === 'vector') nearness = contribution;
  }
  return { id, score, nearness };
};

const entry = (leg: LegName, weight: number, ranked: RankedLegs, id: string): LegExplanation => {
  const found = ranked.get(leg)?.get(id) ?? { rank: null, rawScore: null, normalizedScore: 0 };
  return { leg, ...found, weight, contribution: weight * found.normalizedScore };
};

/** 70 % meaning, 30 % words, as `search_knowledge_base` publishes. */
export const weightedFusion: Fusion = linear('weighted-0.7-0.3-minmax', HYBRID_WEIGHTS, minMax);

/** `semantic` mode: the score is the cosine itself. */
export const cosineOnly: Fusion = linear('vector-cosine', { vector: 1 }, asIs);

/** `keyword` mode: the normalised keyword rank. */
export const keywordOnly: Fusion = linear('bm25-minmax', { bm25: 1 }, minMax);

/**
 * Reciprocal rank fusion with k = 60 over the three legs of `search_knowledge`. Three first ranks add up to only 3/61 =
 * 0.049, so the score is that sum divided by its largest value; the sum itself is kept as `rawScore`.
 */
const RRF_LEGS = 3;
export const rrfFusion: Fusion = linear(
  'rrf-60',
  { vector: 1 / RRF_LEGS, fulltext: 1 / RRF_LEGS, title: 1 / RRF_LEGS },
  reciprocalRank,
  (score) => (score * RRF_LEGS) / (RRF_K + 1),
);
