/** The relevance of each document to one query; a document that is missing, or graded 0 or less, is not relevant. */
export type Judgements = ReadonlyMap<string, number>;

/**
 * Some sets grade spam below zero; trec_eval counts that as not relevant, because otherwise an answer without it would
 * beat the ideal.
 */
const gainOf = (grade: number): number => Math.max(0, grade);

const gainAt = (gain: number, index: number): number => gain / Math.log2(index + 2);

/**
 * Normalised discounted cumulative gain with linear gains, as defined by trec_eval and BEIR: 1 when the best documents
 * come in the best order, 0 when none of them is among the first k.
 */
export const ndcgAt = (k: number, ranked: readonly string[], judgements: Judgements): number => {
  const total = (gains: readonly number[]): number =>
    gains.slice(0, k).reduce((sum, gain, i) => sum + gainAt(gain, i), 0);
  const ideal = total([...judgements.values()].map(gainOf).sort((a, b) => b - a));
  return ideal === 0 ? 0 : total(ranked.map((id) => gainOf(judgements.get(id) ?? 0))) / ideal;
};

/** The share of the relevant documents that are among the first k. */
export const recallAt = (k: number, ranked: readonly string[], judgements: Judgements): number => {
  const relevant = [...judgements].filter(([, score]) => score > 0).map(([id]) => id);
  if (relevant.length === 0) return 0;
  const first = new Set(ranked.slice(0, k));
  return relevant.filter((id) => first.has(id)).length / relevant.length;
};
