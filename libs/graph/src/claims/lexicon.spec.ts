import { describe, expect, it } from '@jest/globals';
import { ANTONYM_PAIRS, areOpposite, fold, SYNONYM_GROUPS } from './lexicon.js';

describe('the lexicon of claims', () => {
  it('has each word in one group of synonyms at most', () => {
    const words = SYNONYM_GROUPS.flat();
    expect(words.filter((word, i) => words.indexOf(word) !== i)).toEqual([]);
  });

  it('has at least 150 pairs of synonyms and 120 pairs of antonyms', () => {
    const pairs = SYNONYM_GROUPS.reduce((sum, { length }) => sum + (length * (length - 1)) / 2, 0);
    expect(pairs).toBeGreaterThanOrEqual(150);
    expect(ANTONYM_PAIRS.length).toBeGreaterThanOrEqual(120);
  });

  it('has no pair of antonyms that are synonyms, and none twice', () => {
    expect(ANTONYM_PAIRS.filter(([one, other]) => fold(one) === fold(other))).toEqual([]);
    const keys = ANTONYM_PAIRS.map((pair) => pair.map(fold).sort().join(' '));
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
  });

  it('knows opposites through synonyms, in both directions', () => {
    expect(areOpposite(fold('accept'), fold('decline'))).toBe(true);
    expect(areOpposite(fold('decline'), fold('accept'))).toBe(true);
    expect(areOpposite(fold('accept'), fold('agree'))).toBe(false);
  });
});
