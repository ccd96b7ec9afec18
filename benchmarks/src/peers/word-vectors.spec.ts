import { describe, expect, it } from '@jest/globals';
import { WordVectors } from './word-vectors.js';

const vectors = new WordVectors(384, new Set(['the', 'of']));
const cosine = (a: string, b: string): number => {
  const other = vectors.of(b);
  return vectors.of(a).reduce((sum, value, i) => sum + value * other[i]!, 0);
};

describe('word vectors', () => {
  it('are reproducible and of length 1', () => {
    expect(new WordVectors(384, new Set(['the', 'of'])).of('the soil')).toEqual(vectors.of('the soil'));
    expect(cosine('the soil of roses', 'the soil of roses')).toBeCloseTo(1, 5);
  });

  it('are near each other for texts that share words, whatever stands between them', () => {
    expect(cosine('soil and seed', 'Seed.\n\nAnd SOIL!')).toBeCloseTo(1, 5);
    expect(cosine('soil seed rose', 'soil seed song')).toBeGreaterThan(0.5);
    expect(Math.abs(cosine('soil seed rose', 'chord song bow'))).toBeLessThan(0.3);
  });

  it('weigh filler words less', () => {
    expect(cosine('the soil', 'soil')).toBeGreaterThan(0.95);
    expect(cosine('old soil', 'soil')).toBeLessThan(0.8);
  });

  it('have a direction for a text without words', () => {
    expect(cosine('?!', '?!')).toBeCloseTo(1, 5);
  });
});
