import { describe, expect, it } from '@jest/globals';
import { neighbourOf } from './neighbour-of.js';

describe('the neighbour of an entry', () => {
  it.each([
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'b'],
    ['not there', undefined],
  ])('of %s is %s', (entry, neighbour) => {
    expect(neighbourOf(['a', 'b', 'c'], entry)).toBe(neighbour);
  });

  it('is undefined for the only entry', () => {
    expect(neighbourOf(['a'], 'a')).toBeUndefined();
  });
});
