import type { SeededTexts } from '../seeded-texts.js';
import type { EmbeddingEndpoint } from './embedding-endpoint.js';

export interface Query {
  readonly text: string;
  readonly vector: Float32Array;
}

/** More queries than a run can ask. */
const NEW_QUERIES = 200_000;

/** Queries that are asked again and again, and queries that are asked once. */
export class PeerQueries {
  private readonly fresh: readonly string[];
  private asked = 0;

  private constructor(
    readonly cached: readonly Query[],
    texts: SeededTexts,
    private readonly endpoint: EmbeddingEndpoint,
  ) {
    const repeated = new Set(cached.map(({ text }) => text));
    this.fresh = [...new Set(texts.queries(NEW_QUERIES))].filter((text) => !repeated.has(text));
  }

  static async create(texts: SeededTexts, count: number, endpoint: EmbeddingEndpoint): Promise<PeerQueries> {
    const cached: Query[] = [];
    for (const text of texts.queries(count)) cached.push({ text, vector: await endpoint.embed(text) });
    return new PeerQueries(cached, texts, endpoint);
  }

  next(): string {
    const text = this.fresh[this.asked++];
    if (text === undefined) throw new Error('every query was asked already');
    return text;
  }

  async embedNext(): Promise<Query> {
    const text = this.next();
    return { text, vector: await this.endpoint.embed(text) };
  }
}
