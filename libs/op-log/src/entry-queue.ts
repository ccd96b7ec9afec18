import type { EntryReader } from './op-log.port.js';

/** Between a producer that pushes and a reader that takes batches. */
export class EntryQueue<T> implements EntryReader<T> {
  private entries: T[] = [];
  private failure: Error | undefined;
  private wake: (() => void) | undefined;

  constructor(private readonly onClose: () => Promise<void> = () => Promise.resolve()) {}

  get size(): number {
    return this.entries.length;
  }

  push(entry: T): void {
    this.entries.push(entry);
    this.wake?.();
  }

  /** Entries that were pushed before are still returned; the next call after them throws. */
  fail(cause: Error): void {
    this.failure = cause;
    this.wake?.();
  }

  async next(max: number, waitMs: number): Promise<readonly T[]> {
    if (this.entries.length === 0 && this.failure === undefined && waitMs > 0) {
      await this.arrival(waitMs);
      // A burst of entries arrives in one turn of the event loop: the reader gets all of it, not only the first entry.
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (this.entries.length === 0 && this.failure !== undefined) throw this.failure;
    return this.entries.splice(0, max);
  }

  async close(): Promise<void> {
    this.wake?.();
    await this.onClose();
  }

  private arrival(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.wake = undefined;
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      this.wake = done;
    });
  }
}
