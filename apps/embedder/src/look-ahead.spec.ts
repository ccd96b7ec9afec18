import { describe, expect, it } from '@jest/globals';
import type { Consumer } from '@nats-io/jetstream';
import { LookAhead, type LookAheadOptions } from './look-ahead.js';

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve));

/** A backlog given as `workspace:size`; its positions begin at 1. It ends, or waits to be stopped. */
const consumerOf = (backlog: readonly string[]): Consumer => {
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const messages = async function* () {
    for (const [i, entry] of backlog.entries()) {
      const [workspace, size] = entry.split(':');
      yield { seq: i + 1, subject: `oplog.${workspace}.item`, headers: { get: () => size } };
    }
    await stopped;
  };
  const consume = () => Promise.resolve(Object.assign(messages(), { stop }));
  return { consume } as unknown as Consumer;
};

const lookAheadAt = (backlog: readonly string[], options: Partial<LookAheadOptions> = {}) => {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const served = new Set(['busy']);
  const window = { passed: 0 };
  const lookAhead = new LookAhead({
    open: () => Promise.resolve(consumerOf(backlog)),
    isServed: (workspace) => served.has(workspace),
    passed: () => window.passed,
    embed: ({ position }) => {
      begun.push(position);
      return new Promise((resolve) => ends.set(position, resolve));
    },
    ...options,
  });
  const end = (position: number) => (ends.get(position)!(), turnOfTheLoop());
  return { lookAhead, begun, end, served, window };
};

describe('looking ahead in the backlog', () => {
  it('embeds the ops of workspaces that the window does not serve, one of each at a time', async () => {
    const { lookAhead, begun, end } = lookAheadAt(['busy:1', 'a:1', 'a:1', 'busy:1', 'b:1']);
    lookAhead.start(() => undefined);
    await turnOfTheLoop();
    expect(begun).toEqual([2, 5]);
    await end(2);
    expect(begun).toEqual([2, 5, 3]);
    await Promise.all([lookAhead.stop(), end(5), end(3)]);
  });

  it('embeds the smaller op of a workspace first', async () => {
    const { lookAhead, begun, end } = lookAheadAt(['a:1', 'a:900', 'a:5']);
    lookAhead.start(() => undefined);
    await turnOfTheLoop();
    await end(1);
    await end(3);
    expect(begun).toEqual([1, 3, 2]);
    await Promise.all([lookAhead.stop(), end(2)]);
  });

  it('embeds the ops of a workspace when the window stops serving it, except those that the window has taken', async () => {
    const { lookAhead, begun, served, window, end } = lookAheadAt(['busy:1', 'busy:1', 'busy:1']);
    lookAhead.start(() => undefined);
    await turnOfTheLoop();
    expect(begun).toEqual([]);
    window.passed = 2;
    served.clear();
    lookAhead.windowChanged();
    expect(begun).toEqual([3]);
    await Promise.all([lookAhead.stop(), end(3)]);
  });

  it('embeds at most 16 ops at once', async () => {
    const { lookAhead, begun, end } = lookAheadAt(Array.from({ length: 20 }, (_, i) => `w${i}:1`));
    lookAhead.start(() => undefined);
    await turnOfTheLoop();
    expect(begun).toHaveLength(16);
    await end(1);
    expect(begun).toHaveLength(17);
    await Promise.all([lookAhead.stop(), ...begun.slice(1).map((position) => end(position))]);
  });

  it('remembers 100,000 positions, and continues reading when the window has passed some of them', async () => {
    const { lookAhead, begun, window, end } = lookAheadAt([...Array.from({ length: 100_000 }, () => 'busy:1'), 'a:1']);
    lookAhead.start(() => undefined);
    await turnOfTheLoop();
    expect(begun).toEqual([]);
    window.passed = 999;
    lookAhead.windowChanged();
    await turnOfTheLoop();
    expect(begun).toEqual([]);
    window.passed = 1_000;
    lookAhead.windowChanged();
    await turnOfTheLoop();
    expect(begun).toEqual([100_001]);
    await Promise.all([lookAhead.stop(), end(100_001)]);
  });

  it('reports an error of the broker, and stops without one', async () => {
    const errors: unknown[] = [];
    const { lookAhead } = lookAheadAt([], { open: () => Promise.reject(new Error('no broker')) });
    lookAhead.start((thrown) => errors.push(thrown));
    await lookAhead.stop();
    expect(errors).toEqual([new Error('no broker')]);
  });
});
