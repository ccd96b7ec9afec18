import { FairQueue, type Turn } from './fair-queue.js';

/** Runs a bounded number of tasks at once; the others wait in a fair queue. */
export class FairGate {
  private readonly waiting = new FairQueue<() => void>();
  private running = 0;

  constructor(private readonly runningMax: number) {}

  /** How many tasks wait: all of them, or those behind these keys. */
  waitingCount(keys: readonly string[] = []): number {
    return this.waiting.count(keys);
  }

  get isFull(): boolean {
    return this.running >= this.runningMax;
  }

  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    await this.enter(turn);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private enter(turn: Turn): Promise<void> {
    if (this.isFull) return new Promise((resolve) => this.waiting.push(resolve, turn));
    this.running++;
    return Promise.resolve();
  }

  /** The next task takes the place over; it is never free in between. */
  private leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.running--;
  }
}
