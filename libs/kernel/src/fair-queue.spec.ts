import { describe, expect, it } from '@jest/globals';
import { FairQueue } from './fair-queue.js';

/** Takes entries as `[keys, size, name]` and returns the names in the order of service. */
const orderOf = (...entries: readonly (readonly [string, number, string])[]): string => {
  const queue = new FairQueue<string>();
  for (const [keys, size, name] of entries) queue.push(name, { keys: keys.split('/'), size });
  return drain(queue).join(' ');
};

const drain = (queue: FairQueue<string>): string[] => {
  const out: string[] = [];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) out.push(next);
  return out;
};

describe('a fair queue', () => {
  it('is first in, first out for one caller with entries of one size', () => {
    expect(orderOf(['a', 1, 'a1'], ['a', 1, 'a2'], ['a', 1, 'a3'])).toBe('a1 a2 a3');
  });

  it('serves callers in turn, however many entries one of them has', () => {
    expect(orderOf(['a', 1, 'a1'], ['a', 1, 'a2'], ['a', 1, 'a3'], ['b', 9, 'b1'], ['c', 5, 'c1'])).toBe(
      'a1 b1 c1 a2 a3',
    );
  });

  it('serves the smaller entry of a caller first, and the older one among equals', () => {
    expect(orderOf(['a', 50, 'large'], ['a', 1, 'first'], ['a', 2, 'third'], ['a', 1, 'second'])).toBe(
      'first second third large',
    );
  });

  it('does not let small entries starve a large one', () => {
    const queue = new FairQueue<string>();
    queue.push('large', { keys: ['a'], size: 100 });
    const served: (string | undefined)[] = [];
    while (!served.includes('large') && served.length < 100) {
      queue.push('small', { keys: ['a'], size: 1 });
      served.push(queue.shift());
    }
    expect(served).toEqual(['small', 'small', 'small', 'large']);
  });

  it('serves tokens in turn within the turn of their workspace', () => {
    const entries = [
      ['w/one', 1, 'w-one-1'],
      ['w/one', 1, 'w-one-2'],
      ['w/two', 1, 'w-two-1'],
      ['v/one', 1, 'v-one-1'],
      ['v/one', 1, 'v-one-2'],
    ] as const;
    expect(orderOf(...entries)).toBe('w-one-1 v-one-1 w-two-1 v-one-2 w-one-2');
  });

  it('puts a returning caller behind those that are waiting', () => {
    const queue = new FairQueue<string>();
    const push = (key: string, name: string) => queue.push(name, { keys: [key], size: 1 });
    push('a', 'a1');
    push('b', 'b1');
    push('b', 'b2');
    expect(queue.shift()).toBe('a1');
    push('a', 'a2');
    expect(drain(queue)).toEqual(['b1', 'a2', 'b2']);
  });

  it('skips a caller that may not take an entry now, and keeps its turn', () => {
    const queue = new FairQueue<string>();
    for (const keys of ['w/one', 'v/one', 'w/two']) queue.push(keys, { keys: keys.split('/'), size: 1 });
    const mayTake = ([, token]: readonly string[]) => token === 'two';
    expect([queue.shift(mayTake), queue.shift(mayTake)]).toEqual(['w/two', undefined]);
    expect(drain(queue)).toEqual(['v/one', 'w/one']);
  });

  it('drops unwanted entries and the callers that have no others, and keeps the order of the rest', () => {
    const queue = new FairQueue<string>();
    for (const keys of ['w/one', 'v/one', 'w/two', 'w/one']) queue.push(keys, { keys: keys.split('/'), size: 1 });
    queue.removeWhere((value) => value === 'w/one');
    expect([queue.length, queue.count(['w']), queue.count(['w', 'one'])]).toEqual([2, 1, 0]);
    expect(drain(queue)).toEqual(['w/two', 'v/one']);
  });

  it('counts waiting entries: in total, per workspace, per token', () => {
    const queue = new FairQueue<string>();
    for (const keys of ['w/one', 'w/one', 'w/two', 'v/one']) queue.push(keys, { keys: keys.split('/'), size: 1 });
    const counts = [[], ['w'], ['w', 'one'], ['w', 'three'], ['u'], ['u', 'one']].map((keys) => queue.count(keys));
    expect(counts).toEqual([4, 3, 2, 0, 0, 0]);
    drain(queue);
    expect([queue.length, queue.count(['w'])]).toEqual([0, 0]);
  });

  it('delays no caller by more than one entry of each other caller, whatever arrives', () => {
    const queue = new FairQueue<string>();
    let seed = 7;
    const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
    const since = new Map<string, number>();
    for (let step = 0; step < 5_000; step++) {
      const key = `k${random(5)}`;
      if (queue.count([key]) === 0) since.set(key, 0);
      if (random(9) < 5) queue.push(key, { keys: [key], size: random(20) });
      const served = queue.shift();
      for (const [waiting, turns] of since) since.set(waiting, waiting === served ? 0 : turns + 1);
      for (const waiting of since.keys()) if (queue.count([waiting]) === 0) since.delete(waiting);
      expect(Math.max(0, ...since.values())).toBeLessThan(5);
    }
  });
});
