import { describe, expect, it } from '@jest/globals';
import { OfflineBm25 } from './bm25.js';

const documents = [
  { id: 'a', terms: ['soil', 'seed', 'rain'] },
  { id: 'b', terms: ['soil', 'soil', 'soil'] },
  { id: 'c', terms: ['soil', 'harp', 'song', 'bow', 'string', 'wood'] },
];
const bm25 = new OfflineBm25(documents, { k1: 1, b: 0.5 });
const ids = (...query: string[]) => bm25.rank(query, 10).map(({ id }) => id);

describe('BM25 without an engine', () => {
  it('computes the published formula', () => {
    const [hit] = bm25.rank(['harp'], 10);
    const weight = Math.log(1 + (3 - 1 + 0.5) / (1 + 0.5));
    expect(hit).toEqual({ id: 'c', score: expect.closeTo((weight * 2) / (1 + (0.5 + (0.5 * 6) / 4)), 10) });
  });

  it('prefers rare terms, repeated terms and short documents, and finds nothing without a term', () => {
    expect(ids('soil', 'seed')[0]).toBe('a');
    expect(ids('soil')).toEqual(['b', 'a', 'c']);
    expect(ids('unknown')).toEqual([]);
    expect(bm25.rank(['soil'], 2)).toHaveLength(2);
  });
});
