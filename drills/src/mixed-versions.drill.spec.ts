import { describe, expect, it } from '@jest/globals';
import { allMixes } from './mixed-versions.drill.js';

describe('the mixes of two releases', () => {
  const mixes = allMixes().map((mix) => [...mix].sort());

  it('are all 16, and begin with this release alone', () => {
    expect(mixes[0]).toEqual([]);
    expect(new Set(mixes.map((mix) => mix.join())).size).toBe(16);
  });

  it('change one service at a time', () => {
    for (const [i, mix] of mixes.slice(1).entries()) {
      const before = mixes[i]!;
      const changed = [
        ...mix.filter((name) => !before.includes(name)),
        ...before.filter((name) => !mix.includes(name)),
      ];
      expect(changed).toHaveLength(1);
    }
  });
});
