import { describe, expect, it } from '@jest/globals';
import { ndcgAt, recallAt } from './relevance.js';

const judged = new Map([
  ['a', 2],
  ['b', 1],
  ['c', 0],
]);

describe('ndcgAt', () => {
  it('is 1 for the best order and 0 if nothing relevant was found', () => {
    expect(ndcgAt(10, ['a', 'b', 'x'], judged)).toBe(1);
    expect(ndcgAt(10, ['x', 'c'], judged)).toBe(0);
    expect(ndcgAt(10, [], judged)).toBe(0);
  });

  it('discounts a gain by the logarithm of its rank', () => {
    const ideal = 2 / Math.log2(2) + 1 / Math.log2(3);
    expect(ndcgAt(10, ['x', 'a', 'b'], judged)).toBeCloseTo((2 / Math.log2(3) + 1 / Math.log2(4)) / ideal, 12);
    expect(ndcgAt(10, ['b', 'a'], judged)).toBeCloseTo((1 / Math.log2(2) + 2 / Math.log2(3)) / ideal, 12);
  });

  it('reads only the first k, in the answer and in the ideal alike', () => {
    expect(ndcgAt(1, ['x', 'a'], judged)).toBe(0);
    expect(ndcgAt(1, ['a', 'x'], judged)).toBe(1);
  });

  it('counts a grade below zero as zero, in the answer and in the ideal alike', () => {
    const graded = new Map([...judged, ['spam', -2]]);
    expect(ndcgAt(10, ['a', 'b', 'spam'], graded)).toBe(1);
    expect(ndcgAt(10, ['spam', 'a', 'b'], graded)).toBe(ndcgAt(10, ['x', 'a', 'b'], judged));
    expect(ndcgAt(10, ['spam'], new Map([['spam', -1]]))).toBe(0);
  });

  it('is 0, not a division by zero, for a query without a relevant document', () => {
    expect(ndcgAt(10, ['a'], new Map([['a', 0]]))).toBe(0);
  });
});

describe('recallAt', () => {
  it('is the share of relevant documents among the first k; a judgement of 0 is not relevant', () => {
    expect(recallAt(10, ['a', 'c', 'x'], judged)).toBe(0.5);
    expect(recallAt(1, ['b', 'a'], judged)).toBe(0.5);
    expect(recallAt(10, ['b', 'a'], judged)).toBe(1);
    expect(recallAt(10, ['c'], judged)).toBe(0);
    expect(recallAt(10, ['a'], new Map())).toBe(0);
  });
});
