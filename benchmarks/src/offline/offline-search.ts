import { LEG_CANDIDATES } from '@cairn/contracts';
import { lexicalQuery, lexicalText } from '@cairn/projections';
import { weightedFusion, type ScoredId } from '@cairn/retrieval';
import type { JudgedSet } from '@cairn/testing';
import { fittedQuery } from '../fitted.js';
import { RawEncoder } from '../raw-encoder.js';
import { OfflineBm25 } from './bm25.js';
import { Terms } from './terms.js';

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

/** Title and text of a document as one text. */
const wholeText = ({ title, text }: JudgedSet['documents'][number]): string => [title, text].filter(Boolean).join('\n');

const idsOf = (hits: readonly { readonly id: string }[]): string[] => hits.map(({ id }) => id);

export interface OfflineRanks {
  readonly vector: readonly string[];
  readonly bm25: readonly string[];
  readonly hybrid: readonly string[];
}

/**
 * What the product's model and formulas rank without chunks, indexes and storage: cosine over whole documents, BM25 over the
 * same words, and the product's own fusion of both.
 */
export class OfflineSearch {
  private constructor(
    private readonly ids: readonly string[],
    private readonly vectors: readonly Float32Array[],
    private readonly bm25: OfflineBm25,
    private readonly terms: Terms,
    private readonly encoder: RawEncoder,
  ) {}

  static async open({ documents, queries }: JudgedSet): Promise<OfflineSearch> {
    const texts = documents.map((document) => lexicalText(wholeText(document)));
    const terms = await Terms.of([...texts, ...queries.map(({ text }) => lexicalQuery(fittedQuery(text)))]);
    const ids = documents.map(({ id }) => id);
    const bm25 = new OfflineBm25(ids.map((id, i) => ({ id, terms: terms.in(texts[i]!) })));
    const encoder = await RawEncoder.open(2);
    const vectors = await Promise.all(documents.map((document) => encoder.vectorOf(wholeText(document), 'passage')));
    return new OfflineSearch(ids, vectors, bm25, terms, encoder);
  }

  async rank(query: string): Promise<OfflineRanks> {
    const asked = fittedQuery(query);
    const near = this.nearest(await this.encoder.vectorOf(asked, 'query'));
    const words = this.bm25.rank(this.terms.in(lexicalQuery(asked)), LEG_CANDIDATES);
    const fused = weightedFusion.fuse([
      { leg: 'vector', hits: near.slice(0, LEG_CANDIDATES) },
      { leg: 'bm25', hits: words },
    ]);
    return { vector: idsOf(near), bm25: idsOf(words), hybrid: idsOf(fused) };
  }

  close(): Promise<void> {
    return this.encoder.close();
  }

  private nearest(query: Float32Array): ScoredId[] {
    return this.ids.map((id, i) => ({ id, score: dot(query, this.vectors[i]!) })).sort((a, b) => b.score - a.score);
  }
}
