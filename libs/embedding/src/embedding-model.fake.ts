import { fail } from '@cairn/contracts';
import type { EmbeddingModel } from './embedding-model.port.js';
import { unitVector } from './vector.js';

const DIMENSIONS = 384;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Words hashed into signed buckets, so that texts with common words are close. No model, no files, no threads. */
export class HashingEmbeddingModel implements EmbeddingModel {
  readonly id = 'hashing-384';
  readonly label = 'Hashing (test)';
  readonly dimensions = DIMENSIONS;
  readonly problem = undefined;
  readonly passagesAtOnce = 4;
  private closed = false;

  embed(text: string): Promise<Float32Array> {
    if (this.closed) return Promise.reject(fail('embedder.unavailable', 'The embedding model is closed.'));
    const buckets = new Array<number>(DIMENSIONS).fill(0);
    for (const word of wordsOf(text)) {
      const hash = hashOf(word);
      const bucket = hash % DIMENSIONS;
      buckets[bucket] = buckets[bucket]! + (hash & 0x80000000 ? 1 : -1);
    }
    if (!buckets.some((value) => value !== 0)) buckets[0] = 1;
    return Promise.resolve(unitVector(buckets));
  }

  close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const hashOf = (word: string): number => {
  let hash = FNV_OFFSET;
  for (const char of word) hash = Math.imul(hash ^ char.codePointAt(0)!, FNV_PRIME) >>> 0;
  return hash;
};
