import { describe, expect, it } from '@jest/globals';
import { pool, truncate } from './pooling.js';

describe('truncate', () => {
  it('leaves a text that fits as it is', () => {
    expect(truncate([101, 7, 8, 102], 4)).toEqual([101, 7, 8, 102]);
  });

  it('cuts from the end and keeps the closing token', () => {
    expect(truncate([101, 1, 2, 3, 4, 102], 4)).toEqual([101, 1, 2, 102]);
  });
});

describe('pool', () => {
  const hidden = Float32Array.of(1, 2, 3, 4, 5, 6);

  it('takes the first token for models of the CLS kind', () => {
    expect([...pool(hidden, [1, 3, 2], 'cls')]).toEqual([1, 2]);
  });

  it('adds up all tokens for models of the mean kind, as the length is normalised afterwards', () => {
    expect([...pool(hidden, [1, 3, 2], 'mean')]).toEqual([9, 12]);
  });

  it('leaves the output of a model that pools itself unchanged', () => {
    expect([...pool(hidden, [1, 6], 'mean')]).toEqual([1, 2, 3, 4, 5, 6]);
  });
});
