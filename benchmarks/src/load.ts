import { median, percentile } from './statistics.js';

export interface Load {
  readonly concurrency: number;
  /** Does the nth piece of work. */
  readonly work: (index: number) => Promise<unknown>;
  /** Ends after this many pieces or this time, whichever is given or comes first. */
  readonly count?: number;
  readonly durationMs?: number;
  /** Processor time that the measured processes have used so far. */
  readonly cpuMs?: () => number;
}

export interface Round {
  readonly count: number;
  readonly rate: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Processor time per piece of work, if known. Other load on the machine does not affect it. */
  readonly cpuMs: number;
}

/** A closed loop: each caller sends its next request when the previous one is answered. */
export const runLoad = async (load: Load): Promise<Round> => {
  const { concurrency, work, count = Infinity, durationMs = Infinity, cpuMs = () => Number.NaN } = load;
  const samples: number[] = [];
  const cpuBeforeMs = cpuMs();
  const startMs = performance.now();
  let next = 0;
  const caller = async (): Promise<void> => {
    for (let sentMs = startMs; next < count && sentMs - startMs < durationMs;) {
      const index = next++;
      sentMs = performance.now();
      await work(index);
      samples.push(performance.now() - sentMs);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  const seconds = (performance.now() - startMs) / 1_000;
  return {
    count: samples.length,
    rate: samples.length / seconds,
    p50Ms: percentile(samples, 50),
    p95Ms: percentile(samples, 95),
    cpuMs: (cpuMs() - cpuBeforeMs) / samples.length,
  };
};

/**
 * Runs the sides in turns, so that other load on the machine affects all of them alike. Each figure is the median over the
 * rounds, so that one disturbed round has no effect.
 */
export const sideBySide = async <K extends string>(
  rounds: number,
  sides: Readonly<Record<K, () => Promise<Round>>>,
): Promise<Record<K, Round>> => {
  const names = Object.keys(sides) as K[];
  const measured = new Map<K, Round[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) measured.get(name)!.push(await sides[name]());
  }
  return Object.fromEntries(names.map((name) => [name, middle(measured.get(name)!)])) as Record<K, Round>;
};

/** Runs rounds of one side until the other activity ends. */
export const until = async (done: Promise<unknown>, round: () => Promise<Round>): Promise<Round> => {
  let isDone = false;
  void done.finally(() => (isDone = true));
  const rounds: Round[] = [];
  while (!isDone) rounds.push(await round());
  await done;
  return middle(rounds);
};

const middle = (rounds: readonly Round[]): Round => ({
  count: rounds.reduce((total, { count }) => total + count, 0),
  rate: median(rounds.map(({ rate }) => rate)),
  p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
  p95Ms: median(rounds.map(({ p95Ms }) => p95Ms)),
  cpuMs: median(rounds.map(({ cpuMs }) => cpuMs)),
});
