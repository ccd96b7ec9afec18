import { setTimeout as delay } from 'node:timers/promises';
import { AT_LEAST_WAIT_MS } from '@cairn/contracts';

const POLL_FIRST_MS = 5;
const POLL_MAX_MS = 50;

/** Read-your-writes: waits until a projection has reached a position, for a bounded time. */
export class Freshness {
  /** The highest checkpoint seen; a lookup is needed only above it. */
  private known = 0;

  constructor(
    private readonly checkpoint: () => Promise<number>,
    private readonly waitMs: number = AT_LEAST_WAIT_MS,
  ) {}

  /** False if the projection is still behind: the answer is then `stale`. */
  async reached(position: number | undefined): Promise<boolean> {
    if (position === undefined || this.known >= position) return true;
    const deadlineMs = performance.now() + this.waitMs;
    for (let pollMs = POLL_FIRST_MS; ; pollMs = Math.min(pollMs * 2, POLL_MAX_MS)) {
      this.known = Math.max(this.known, await this.checkpoint());
      if (this.known >= position) return true;
      if (performance.now() >= deadlineMs) return false;
      await delay(pollMs);
    }
  }
}
