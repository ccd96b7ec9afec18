import { BM25_DEFAULT, type Bm25 } from '@cairn/projections';
import type { ScoredId } from '@cairn/retrieval';

export interface TermsOfDocument {
  readonly id: string;
  readonly terms: readonly string[];
}

const countsOf = (terms: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
};

/** BM25 by its formula, over whole documents: what a search engine computes, without its index and its limits. */
export class OfflineBm25 {
  private readonly documents: readonly { id: string; counts: ReadonlyMap<string, number>; length: number }[];
  private readonly documentsWith = new Map<string, number>();
  private readonly meanLength: number;

  constructor(
    documents: readonly TermsOfDocument[],
    private readonly parameters: Bm25 = BM25_DEFAULT,
  ) {
    this.documents = documents.map(({ id, terms }) => ({ id, counts: countsOf(terms), length: terms.length }));
    for (const { counts } of this.documents)
      for (const term of counts.keys()) this.documentsWith.set(term, (this.documentsWith.get(term) ?? 0) + 1);
    const total = this.documents.reduce((sum, { length }) => sum + length, 0);
    this.meanLength = total / Math.max(1, documents.length);
  }

  /** The best documents with any of the terms, best first. */
  rank(query: readonly string[], limit: number): ScoredId[] {
    const weights = query.map((term) => ({ term, weight: this.weightOf(term) }));
    return this.documents
      .map(({ id, counts, length }) => {
        const scores = weights.map(({ term, weight }) => weight * this.saturated(counts.get(term) ?? 0, length));
        return { id, score: scores.reduce((sum, score) => sum + score, 0) };
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  }

  /** A rare term weighs more. */
  private weightOf(term: string): number {
    const [all, having] = [this.documents.length, this.documentsWith.get(term) ?? 0];
    return Math.log(1 + (all - having + 0.5) / (having + 0.5));
  }

  /** Each further occurrence counts less, and less in a long document. */
  private saturated(count: number, length: number): number {
    const { k1, b } = this.parameters;
    return (count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / this.meanLength));
  }
}
