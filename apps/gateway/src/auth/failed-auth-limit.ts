import { fail } from '@cairn/contracts';
import type { Clock } from '@cairn/kernel';
import { LRUCache } from 'lru-cache';

export const FAILED_AUTH_PER_MINUTE_MAX = 300;
const WINDOW_MS = 60_000;
const ADDRESSES_MAX = 10_000;

interface Window {
  readonly endsAt: number;
  failures: number;
}

/** Failed authentications per address and minute; further guesses are answered without a lookup. */
export class FailedAuthLimit {
  private readonly windows = new LRUCache<string, Window>({ max: ADDRESSES_MAX });

  constructor(
    private readonly clock: Clock,
    /** Called for each rejection; a log line for each would itself be a flood. */
    private readonly onFlood: () => void,
  ) {}

  check(address: string): void {
    const window = this.current(address);
    if (!window || window.failures < FAILED_AUTH_PER_MINUTE_MAX) return;
    this.onFlood();
    const retryAfterSec = Math.max(1, Math.ceil((window.endsAt - this.clock.now()) / 1000));
    const message = `too many failed authentications from this address; try again in ${retryAfterSec} s`;
    throw fail('auth.flood', message, { limit: FAILED_AUTH_PER_MINUTE_MAX, retryAfterSec });
  }

  count(address: string): void {
    const window = this.current(address);
    if (window) window.failures++;
    else this.windows.set(address, { endsAt: this.clock.now() + WINDOW_MS, failures: 1 });
  }

  private current(address: string): Window | undefined {
    const window = this.windows.get(address);
    return window && window.endsAt > this.clock.now() ? window : undefined;
  }
}
