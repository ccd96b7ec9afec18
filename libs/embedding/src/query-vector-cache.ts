import { LRUCache } from 'lru-cache';

const ENTRIES_MAX = 10_000;

/** Query vectors by model and text. Callers that ask for the same text at once share one computation; failures are not kept. */
export class QueryVectorCache {
  private readonly vectors: LRUCache<string, Float32Array>;
  private readonly running = new Map<string, Promise<Float32Array>>();

  constructor(entriesMax: number = ENTRIES_MAX) {
    this.vectors = new LRUCache({ max: entriesMax });
  }

  get(modelId: string, text: string, compute: () => Promise<Float32Array>): Promise<Float32Array> {
    const key = `${modelId}\0${text}`;
    const known = this.vectors.get(key);
    if (known !== undefined) return Promise.resolve(known);
    const running = this.running.get(key);
    if (running !== undefined) return running;
    const work = this.computeAndKeep(key, compute).finally(() => this.running.delete(key));
    this.running.set(key, work);
    return work;
  }

  private async computeAndKeep(key: string, compute: () => Promise<Float32Array>): Promise<Float32Array> {
    const vector = await compute();
    this.vectors.set(key, vector);
    return vector;
  }
}
