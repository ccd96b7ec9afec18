import { describe, expect, it } from '@jest/globals';
import { yieldingTarget } from './yielding-target.js';

const targetOf = (applied: number[]) => ({
  name: 'graph',
  checkpoint: () => Promise.resolve({ position: 7, epoch: 1 }),
  announce: () => applied.push(-1),
  apply: (_: readonly number[], __: object, reached: number) => {
    applied.push(reached);
    return Promise.resolve('applied' as const);
  },
});

describe('a follower that yields', () => {
  it('applies a batch when no command is in progress, and not before', async () => {
    const applied: number[] = [];
    let isBusy = true;
    const target = yieldingTarget(targetOf(applied), () => isBusy);
    expect(await target.checkpoint()).toEqual({ position: 7, epoch: 1 });
    expect(target).not.toHaveProperty('announce');
    const outcome = target.apply([], { position: 7, epoch: 1 }, 9);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(applied).toEqual([]);
    isBusy = false;
    expect([await outcome, applied]).toEqual(['applied', [9]]);
  });

  it('does not begin in a short gap between commands', async () => {
    const applied: number[] = [];
    let looks = 0;
    // Every other look falls into a gap, until the commands end.
    const target = yieldingTarget(targetOf(applied), () => ++looks <= 10 && looks % 2 === 0);
    await target.apply([], { position: 7, epoch: 1 }, 9);
    expect(looks).toBeGreaterThan(10);
    expect(applied).toEqual([9]);
  });

  it('waits only before the first of several batches if nothing else happens', async () => {
    const applied: number[] = [];
    let looks = 0;
    const target = yieldingTarget(targetOf(applied), () => ++looks === 0);
    await target.apply([], { position: 7, epoch: 1 }, 8);
    const first = looks;
    await target.apply([], { position: 8, epoch: 1 }, 9);
    expect([first > 1, looks - first]).toEqual([true, 1]);
  });

  it('continues when commands never pause', async () => {
    const applied: number[] = [];
    const target = yieldingTarget(targetOf(applied), () => true);
    await target.apply([], { position: 7, epoch: 1 }, 8);
    expect(applied).toEqual([8]);
  });
});
