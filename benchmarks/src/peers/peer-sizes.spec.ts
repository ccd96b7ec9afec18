import { describe, expect, it } from '@jest/globals';
import { chunksOf, peerSizes, sizeText } from './peer-sizes.js';

const workload = { small: 5_000, workspaces: 5, large: 100_000 };

describe('the sizes of the libraries', () => {
  it('are those of the workload', () => {
    expect(peerSizes(workload).map(sizeText)).toEqual([
      '5,000 chunks',
      '25,000 chunks in 5 workspaces',
      '100,000 chunks',
    ]);
  });

  it('keep their proportions under a limit, and never exceed it', () => {
    expect(peerSizes(workload, 10_000).map(chunksOf)).toEqual([2_000, 10_000, 10_000]);
    expect(peerSizes(workload, 30_000).map(chunksOf)).toEqual([5_000, 25_000, 30_000]);
    expect(peerSizes(workload, 200_000).map(chunksOf)).toEqual([5_000, 25_000, 100_000]);
  });
});
