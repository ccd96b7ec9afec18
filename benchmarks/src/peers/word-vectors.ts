import { randomFrom } from '../seeded-random.js';

const hashOf = (word: string): number => {
  let hash = 2_166_136_261;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 16_777_619);
  return hash >>> 0;
};

export const unit = (vector: Float32Array): Float32Array => {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
};

/**
 * Vectors without a model, the same on every machine: each word has a random direction, and a text has the direction of
 * the sum of its words. Texts of one topic share words, so they form clusters as the vectors of a model do.
 */
export class WordVectors {
  private readonly known = new Map<string, Float32Array>();

  constructor(
    private readonly dimensions: number,
    /** Words that every text has say nothing about it, and count less. */
    private readonly filler: ReadonlySet<string>,
  ) {}

  of(text: string): Float32Array {
    const sum = new Float32Array(this.dimensions);
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]) {
      const [direction, weight] = [this.directionOf(word), this.filler.has(word) ? 0.2 : 1];
      for (let i = 0; i < sum.length; i++) sum[i]! += weight * direction[i]!;
    }
    return unit(sum);
  }

  private directionOf(word: string): Float32Array {
    const known = this.known.get(word);
    if (known) return known;
    const random = randomFrom(hashOf(word));
    const direction = unit(Float32Array.from({ length: this.dimensions }, () => random() - 0.5));
    this.known.set(word, direction);
    return direction;
  }
}
