import { systemClock, type Clock } from '@cairn/kernel';

const ANSWER_LIFE_MS = 60_000;
const MIB = 1_048_576;

/**
 * The size of the whole database in bytes, read at most once a minute: Postgres checks every file for it, which takes
 * the embedded one 20 ms. It covers all workspaces, so it is rounded to whole MiB: no workspace should see each write
 * of another.
 */
export class DatabaseSize {
  private last: { readonly at: number; readonly answer: Promise<number> } | undefined;

  constructor(
    private readonly read: () => Promise<number>,
    private readonly clock: Clock = systemClock,
  ) {}

  bytes(): Promise<number> {
    const now = this.clock.now();
    if (!this.last || now - this.last.at >= ANSWER_LIFE_MS) this.last = { at: now, answer: this.ask() };
    return this.last.answer;
  }

  /** A failure reaches the callers that waited for it, and is not cached. */
  private async ask(): Promise<number> {
    try {
      return Math.ceil((await this.read()) / MIB) * MIB;
    } catch (thrown) {
      this.last = undefined;
      throw thrown;
    }
  }
}
