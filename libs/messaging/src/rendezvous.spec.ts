import { describe, expect, it } from '@jest/globals';
import { uuidV7 } from '@cairn/kernel';
import { ownerAmong } from './rendezvous.js';

const KEYS = Array.from({ length: 2_000 }, (_, i) => `workspace-${i}`);
const ownersAmong = (ids: readonly string[]) => new Map(KEYS.map((key) => [key, ownerAmong(ids, key)]));

describe('the owner of a key', () => {
  it('is the same for everyone who knows the same ids, in whatever order', () => {
    const ids = [uuidV7(), uuidV7(), uuidV7()];
    expect(ownersAmong([...ids].reverse())).toEqual(ownersAmong(ids));
  });

  it('is each of four ids about as often, even if they were made at the same time', () => {
    const ids = Array.from({ length: 4 }, () => uuidV7());
    const owners = [...ownersAmong(ids).values()];
    for (const id of ids) {
      const share = owners.filter((owner) => owner === id).length / KEYS.length;
      expect(share).toBeGreaterThan(0.15);
      expect(share).toBeLessThan(0.35);
    }
  });

  it('changes only for the keys of an id that leaves', () => {
    const [gone, ...left] = Array.from({ length: 4 }, () => uuidV7());
    const before = ownersAmong([gone!, ...left]);
    const after = ownersAmong(left);
    for (const key of KEYS) if (before.get(key) !== gone) expect(after.get(key)).toBe(before.get(key));
    expect([...after.values()]).not.toContain(gone);
  });

  it('is no one if there are no ids', () => {
    expect(ownerAmong([], 'workspace')).toBeUndefined();
  });
});
