import { describe, expect, it } from '@jest/globals';
import type { Tier } from '@cairn/contracts';
import { withinCaps } from './recall-cap.js';

const chunk = (name: string, tokens: number, graph = 'work', cap: number | null = 100, tier: Tier = 'personal') => ({
  name,
  graph,
  tier,
  cap,
  tokens,
});
const names = (chunks: readonly { readonly name: string }[]): string[] => chunks.map(({ name }) => name);

describe('the cap of a folder', () => {
  it('[N-14] is reached to the token, and drops chunks that score lower', () => {
    expect(names(withinCaps([chunk('a', 60), chunk('b', 40), chunk('c', 1)]))).toEqual(['a', 'b']);
  });

  it('[N-14] keeps no chunk below a dropped one, even if it would fit', () => {
    expect(names(withinCaps([chunk('a', 60), chunk('b', 41), chunk('c', 1), chunk('d', 0)]))).toEqual(['a']);
  });

  it('applies to the folder’s own chunks only', () => {
    const ranked = [
      chunk('a', 100),
      chunk('b', 60, 'home'),
      chunk('c', 1),
      chunk('d', 40, 'home'),
      chunk('e', 1, 'home'),
    ];
    expect(names(withinCaps(ranked))).toEqual(['a', 'b', 'd']);
  });

  it('drops even the best chunk when it alone is over the cap', () => {
    expect(withinCaps([chunk('a', 101), chunk('b', 10)])).toEqual([]);
    expect(withinCaps([chunk('a', 1, 'work', 0)])).toEqual([]);
  });

  it.each([
    ['public', 4_000],
    ['personal', 2_000],
    ['sensitive', 0],
  ] as const)('of the tier %s is %i tokens if the folder has no cap of its own', (tier, cap) => {
    expect(withinCaps([chunk('fits', cap, 'work', null, tier)])).toHaveLength(1);
    expect(withinCaps([chunk('too long', cap + 1, 'work', null, tier)])).toHaveLength(0);
  });
});
