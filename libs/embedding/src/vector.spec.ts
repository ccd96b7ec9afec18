import { describe, expect, it } from '@jest/globals';
import { assertUsableVector, unitVector } from './vector.js';

describe('assertUsableVector', () => {
  it('accepts a finite vector of the right length', () => {
    expect(() => assertUsableVector([0.6, 0.8], 2)).not.toThrow();
  });

  it.each([
    ['the wrong length', [1, 0, 0], 'it has 3 dimensions, expected 2'],
    ['a value that is not a number', [NaN, 1], 'not a finite number'],
    ['an infinite value', [Infinity, 1], 'not a finite number'],
    ['only zeros', [0, 0], 'all its values are zero'],
  ])('refuses %s', (_what, vector, reason) => {
    expect(() => assertUsableVector(vector, 2)).toThrow(reason);
  });
});

describe('unitVector', () => {
  it('scales to length 1', () => {
    expect([...unitVector([3, 4])]).toEqual([Math.fround(0.6), Math.fround(0.8)]);
  });

  it('leaves a zero vector for the check to refuse', () => {
    expect([...unitVector([0, 0])]).toEqual([0, 0]);
  });
});
