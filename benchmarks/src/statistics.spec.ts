import { describe, expect, it } from '@jest/globals';
import { median, percentile } from './statistics.js';

describe('statistics', () => {
  const oneToTwenty = Array.from({ length: 20 }, (_, i) => 20 - i);

  it('use a measured value as the percentile', () => {
    expect(percentile(oneToTwenty, 95)).toBe(19);
    expect(percentile(oneToTwenty, 50)).toBe(10);
    expect(percentile([7], 95)).toBe(7);
  });

  it('use the middle of an odd number of rounds, and the mean of the two middle ones of an even number', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });
});
