import { describe, expect, it } from '@jest/globals';
import { SeededTexts } from './seeded-texts.js';

const words = { glue: ['the', 'of'], topics: { garden: ['soil', 'seed', 'rose'], music: ['chord', 'song', 'bow'] } };
const texts = new SeededTexts(words, { seed: 7, wordsMin: 20, wordsMax: 30 });

describe('seeded texts', () => {
  it('are reproducible and differ from each other', () => {
    const again = new SeededTexts(words, { seed: 7, wordsMin: 20, wordsMax: 30 });
    expect(again.range(3, 2)).toEqual([texts.at(3), texts.at(4)]);
    expect(texts.at(3).body).not.toBe(texts.at(4).body);
    expect(new SeededTexts(words, { seed: 8, wordsMin: 20, wordsMax: 30 }).at(3).body).not.toBe(texts.at(3).body);
  });

  it('have the requested length', () => {
    const lengths = texts.range(0, 200).map(({ body }) => body.split(' ').length);
    expect(Math.min(...lengths)).toBe(20);
    expect(Math.max(...lengths)).toBe(30);
  });

  it('have queries made of their own words', () => {
    const queries = texts.queries(5);
    expect(queries).toEqual(texts.queries(5));
    expect(queries[0]).toMatch(/^when is the (soil|seed|rose|chord|song|bow) /);
  });
});
