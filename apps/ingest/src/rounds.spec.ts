import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fail } from '@cairn/contracts';
import { Rounds, type RoundsOptions } from './rounds.js';

const PAUSE_MS = 1_000;

/** Rounds whose work ends when the test says so. */
const startedRounds = (options: Partial<RoundsOptions> = {}) => {
  const signals: AbortSignal[] = [];
  const failures: string[] = [];
  let end: { resolve: () => void; reject: (thrown: unknown) => void } | undefined;
  const rounds = new Rounds({
    round: (signal) => {
      signals.push(signal);
      return new Promise((resolve, reject) => (end = { resolve, reject }));
    },
    onFailure: ({ code }) => void failures.push(code),
    pauseMs: PAUSE_MS,
    ...options,
  });
  rounds.start();
  const after = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);
  const finish = async (): Promise<void> => {
    end!.resolve();
    await after(0);
  };
  const failWith = async (thrown: unknown): Promise<void> => {
    end!.reject(thrown);
    await after(0);
  };
  return { rounds, signals, failures, after, finish, failWith };
};

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('rounds', () => {
  it('begin at the start, and again a pause after the end of the previous one', async () => {
    const { signals, after, finish } = startedRounds();
    await after(0);
    expect(signals).toHaveLength(1);
    await after(10 * PAUSE_MS);
    expect(signals).toHaveLength(1);
    await finish();
    await after(PAUSE_MS - 1);
    expect(signals).toHaveLength(1);
    await after(1);
    expect(signals).toHaveLength(2);
  });

  it('can begin with a pause', async () => {
    const { signals, after } = startedRounds({ pausesFirst: true });
    await after(PAUSE_MS - 1);
    expect(signals).toHaveLength(0);
    await after(1);
    expect(signals).toHaveLength(1);
  });

  it('are left out while they are not wanted, and can still be asked for', async () => {
    let isWanted = false;
    const { rounds, signals, after } = startedRounds({ isWanted: () => isWanted });
    await after(PAUSE_MS);
    expect(signals).toHaveLength(0);
    isWanted = true;
    await after(PAUSE_MS);
    expect(signals).toHaveLength(1);
    isWanted = false;
    void rounds.now();
    expect(signals).toHaveLength(1);
  });

  it('pause longer after a long round, to take at most their share of the time', async () => {
    const { signals, after, finish } = startedRounds({ shareMax: 1 / 4 });
    await after(2 * PAUSE_MS);
    await finish();
    await after(6 * PAUSE_MS - 1);
    expect(signals).toHaveLength(1);
    await after(1);
    expect(signals).toHaveLength(2);
  });

  it('run one at a time: a call waits for the round that is running', async () => {
    const { rounds, signals, after, finish } = startedRounds();
    await after(0);
    let waiting = 2;
    for (const call of [rounds.now(), rounds.now()]) void call.then(() => waiting--);
    await after(0);
    expect([signals.length, waiting]).toEqual([1, 2]);
    await finish();
    expect([signals.length, waiting]).toEqual([1, 0]);
  });

  it('can be called before the start', async () => {
    let count = 0;
    const rounds = new Rounds({ round: async () => void count++, onFailure: () => undefined, pauseMs: PAUSE_MS });
    await rounds.now();
    await rounds.now();
    expect(count).toBe(2);
  });

  it.each([
    ['a known failure', fail('busy', 'too much'), 'busy'],
    ['an unexpected one', new TypeError('x is undefined'), 'internal.defect'],
  ])('report %s, and continue', async (_, thrown, code) => {
    const { signals, failures, after, failWith } = startedRounds();
    await after(0);
    await failWith(thrown);
    expect(failures).toEqual([code]);
    await after(PAUSE_MS);
    expect(signals).toHaveLength(2);
  });
});

describe('stopping the rounds', () => {
  it('waits for the round that is running, which learns of it, and lets none begin', async () => {
    const { rounds, signals, after, finish } = startedRounds();
    await after(0);
    let isStopped = false;
    void rounds.stop().then(() => (isStopped = true));
    await after(PAUSE_MS);
    expect([isStopped, signals[0]!.aborted]).toEqual([false, true]);
    await finish();
    expect(isStopped).toBe(true);
    await after(10 * PAUSE_MS);
    await rounds.now();
    expect(signals).toHaveLength(1);
  });

  it('during a pause ends at once', async () => {
    const { rounds, signals, after, finish } = startedRounds();
    await after(0);
    await finish();
    await rounds.stop();
    await after(10 * PAUSE_MS);
    expect(signals).toHaveLength(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('does not report a round that is cut off by it as failed', async () => {
    const { rounds, failures, after, failWith } = startedRounds();
    await after(0);
    const stopped = rounds.stop();
    await failWith(new DOMException('aborted', 'AbortError'));
    await stopped;
    expect(failures).toEqual([]);
  });
});
