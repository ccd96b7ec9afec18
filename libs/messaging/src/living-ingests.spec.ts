import { describe, expect, it } from '@jest/globals';
import { uuidV7 } from '@cairn/kernel';
import { LivingIngests } from './living-ingests.js';

const setUp = () => {
  let nowMs = 0;
  const living = new LivingIngests(() => nowMs);
  const [first, second] = [uuidV7(), uuidV7()];
  const alive = (replicaId: string) => living.receive({ replicaId, isLeaving: false });
  const pass = (ms: number) => (nowMs += ms);
  const owners = () => new Set(Array.from({ length: 50 }, (_, i) => living.ownerOf(`lane-${i}`)));
  return { living, first, second, alive, pass, owners };
};

describe('the living replicas of ingest', () => {
  it('share the lanes, each of which keeps its owner', () => {
    const { living, first, second, alive, owners } = setUp();
    expect(owners()).toEqual(new Set([undefined]));
    alive(first);
    alive(second);
    const owner = living.ownerOf('lane');
    alive(first);
    expect(living.ownerOf('lane')).toBe(owner);
    expect(owners()).toEqual(new Set([first, second]));
  });

  it('lose one that leaves, and one that stays silent', () => {
    const { living, first, second, alive, pass, owners } = setUp();
    const third = uuidV7();
    for (const id of [first, second, third]) alive(id);
    living.receive({ replicaId: first, isLeaving: true });
    expect(owners()).toEqual(new Set([second, third]));
    pass(2_000);
    alive(second);
    pass(2_000);
    expect(owners()).toEqual(new Set([second]));
    alive(third);
    expect(owners()).toEqual(new Set([second, third]));
  });
});
