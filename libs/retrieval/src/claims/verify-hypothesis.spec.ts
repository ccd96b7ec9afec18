import { describe, expect, it } from '@jest/globals';
import { chosen } from './verify-hypothesis.js';

const hits = Array.from({ length: 8 }, (_, n) => `hit ${n}`);
const named = Array.from({ length: 8 }, (_, n) => `named ${n}`);

describe('the chunks that are read for a claim', () => {
  it.each([
    ['the best hit alone', 1, hits, named, hits.slice(0, 1)],
    ['hits and a quarter of other chunks with its names', 8, hits, named, [...hits.slice(0, 6), ...named.slice(0, 2)]],
    ['hits alone where no other chunk has its names', 8, hits, [], hits],
    [
      'more chunks with its names where hits are few',
      8,
      hits.slice(0, 3),
      named,
      [...hits.slice(0, 3), ...named.slice(0, 5)],
    ],
  ])('are %s', (_, limit, found, others, expected) => {
    expect(chosen(found, others, limit)).toEqual(expected);
  });
});
