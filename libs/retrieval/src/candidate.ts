import type { LegExplanation } from '@cairn/contracts';

export type LegName = LegExplanation['leg'];

/** A result of a leg: higher scores are better, whatever the leg measures. */
export interface Candidate {
  readonly chunkId: string;
  readonly itemId: string;
  readonly score: number;
}

/** The unit that fusion ranks: chunks, or items by their best chunk. */
export interface ScoredId {
  readonly id: string;
  readonly score: number;
}

export interface LegResult {
  readonly leg: LegName;
  readonly hits: readonly ScoredId[];
}

/** Ids and scores as two lists, in which a database returns a leg. */
export const scoredIds = (ids: string | null | undefined, scores: string | null | undefined): ScoredId[] => {
  if (!ids || !scores) return [];
  const scoreOf = scores.split(',');
  return ids.split(',').map((id, i) => ({ id, score: Number(scoreOf[i]) }));
};

export const byChunk = (leg: LegName, candidates: readonly Candidate[]): LegResult => ({
  leg,
  hits: candidates.map(({ chunkId, score }) => ({ id: chunkId, score })),
});

/** An item has the rank of its best chunk in a leg. */
export const byItem = (leg: LegName, candidates: readonly Candidate[]): LegResult => {
  const best = new Map<string, number>();
  for (const { itemId, score } of candidates) {
    const known = best.get(itemId);
    if (known === undefined || score > known) best.set(itemId, score);
  }
  return { leg, hits: [...best].map(([id, score]) => ({ id, score })) };
};
