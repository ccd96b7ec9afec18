import { FairQueue, type Turn } from './fair-queue.js';

interface Waiting {
  readonly keys: readonly string[];
  readonly start: () => void;
}

/** Runs a bounded number of tasks at once; the others wait in a fair queue. */
export class FairGate {
  private readonly waiting = new FairQueue<Waiting>();
  private readonly runningOf = new Map<string, number>();
  private running = 0;

  constructor(
    private readonly runningMax: number,
    /**
     * Limits of concurrent tasks for each level of the keys, outermost first: per workspace, then per token. A limit
     * below the total leaves room for a later caller.
     */
    private readonly levelMax: readonly number[] = [],
  ) {}

  /** How many tasks are waiting: all of them, or those under these keys. */
  waitingCount(keys: readonly string[] = []): number {
    return this.waiting.count(keys);
  }

  get isFull(): boolean {
    return this.running >= this.runningMax;
  }

  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    if (this.mayStart(turn.keys)) this.count(turn.keys, 1);
    else await new Promise<void>((resolve) => this.waiting.push({ keys: turn.keys, start: resolve }, turn));
    try {
      return await work();
    } finally {
      this.count(turn.keys, -1);
      this.startNext();
    }
  }

  private mayStart(keys: readonly string[]): boolean {
    const isUnderMax = (name: string, level: number): boolean =>
      (this.runningOf.get(name) ?? 0) < (this.levelMax[level] ?? this.runningMax);
    return !this.isFull && namesOf(keys).every(isUnderMax);
  }

  /** The task is counted before it runs, so that its place is never free in between. */
  private startNext(): void {
    const next = this.waiting.shift((keys) => this.mayStart(keys));
    if (!next) return;
    this.count(next.keys, 1);
    next.start();
  }

  private count(keys: readonly string[], change: 1 | -1): void {
    this.running += change;
    for (const name of namesOf(keys)) {
      const running = (this.runningOf.get(name) ?? 0) + change;
      if (running === 0) this.runningOf.delete(name);
      else this.runningOf.set(name, running);
    }
  }
}

/** One name per level: the workspace, then the workspace with the token. */
const namesOf = (keys: readonly string[]): readonly string[] =>
  keys.map((_, level) => JSON.stringify(keys.slice(0, level + 1)));
