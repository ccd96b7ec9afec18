import { describe, expect, it } from '@jest/globals';
import { byItem } from './candidate.js';

describe('candidates by item', () => {
  it('give an item the rank of its best chunk', () => {
    const candidates = [
      { chunkId: 'a1', itemId: 'a', score: 0.4 },
      { chunkId: 'b1', itemId: 'b', score: 0.9 },
      { chunkId: 'a2', itemId: 'a', score: 0.8 },
    ];
    expect(byItem('vector', candidates).hits).toEqual([
      { id: 'a', score: 0.8 },
      { id: 'b', score: 0.9 },
    ]);
  });
});
