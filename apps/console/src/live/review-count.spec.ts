import { describe, expect, it } from '@jest/globals';
import { countLabel } from './review-count.js';

describe('the count in the navigation', () => {
  it.each([
    [0, ''],
    [1, '1'],
    [9, '9'],
    [10, '9+'],
    [300, '9+'],
  ])('shows %i as "%s"', (count, label) => {
    expect(countLabel(count)).toBe(label);
  });
});
