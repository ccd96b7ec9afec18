import { describe, expect, it } from '@jest/globals';
import { Freshness } from './freshness.js';

const counting = (...checkpoints: number[]) => {
  let asked = 0;
  const read = () => Promise.resolve(checkpoints[Math.min(asked++, checkpoints.length - 1)]!);
  return { read, count: () => asked };
};

describe('freshness', () => {
  it('reads no checkpoint if none is needed', async () => {
    const { read, count } = counting(10);
    const freshness = new Freshness(read);
    expect(await freshness.reached(undefined)).toBe(true);
    expect(await freshness.reached(7)).toBe(true);
    expect(await freshness.reached(10)).toBe(true);
    expect(count()).toBe(1);
  });

  it('waits until the projection has reached the position', async () => {
    const { read, count } = counting(1, 2, 3);
    expect(await new Freshness(read).reached(3)).toBe(true);
    expect(count()).toBe(3);
  });

  it('gives up after its time limit and reports that', async () => {
    expect(await new Freshness(counting(1).read, 20).reached(3)).toBe(false);
  });
});
