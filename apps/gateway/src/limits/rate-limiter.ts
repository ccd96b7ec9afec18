import { fail } from '@cairn/contracts';
import type { AppError, Clock } from '@cairn/kernel';
import type { Logger, Metrics } from '@cairn/observability';
import { LRUCache } from 'lru-cache';
import type { Charge } from './charge.js';
import type { RateCounter } from './rate-counter.port.js';

const HOUR_MS = 3_600_000;
const WINDOWS_MAX = 20_000;
/** How long the counter is not tried after a failure, so not every call waits for its time limit. */
const PAUSE_MS = 1_000;
const ALARM_EVERY_MS = 60_000;

/** This process's view of one bucket in the current hour. */
interface Window {
  readonly hour: number;
  /** The highest sum that the counter has returned. */
  seen: number;
  /** Calls allowed in this hour while the counter was unavailable. */
  alone: number;
  /** The part of `alone` that is not in the counter yet. */
  owed: number;
}

/** How many of several calls are within every cap, and the refusal of the others. */
export interface Granted {
  readonly granted: number;
  readonly refusal?: AppError;
}

/** A read may run while its call is counted; a change waits for the count. */
export type Order = 'beside' | 'before';

/**
 * Enforces the hourly call limit of each token across all replicas: each call is counted in one place. Hours are
 * wall-clock hours, so all replicas use the same one.
 */
export class RateLimiter {
  private readonly windows = new LRUCache<string, Window>({ max: WINDOWS_MAX });
  private pausedUntil = 0;
  private quietUntil = 0;

  constructor(
    private readonly counter: RateCounter,
    private readonly clock: Clock,
    private readonly logger: Pick<Logger, 'error'>,
    private readonly metrics: Pick<Metrics, 'rateLimited' | 'rateCounterUnavailable'>,
  ) {}

  /**
   * Counts the call and executes it. Over a cap, it throws `rate_limited` and discards a result that is already there.
   */
  async guard<T>(charges: readonly Charge[], order: Order, work: () => Promise<T>): Promise<T> {
    const counted = this.charge(charges);
    if (order === 'before') {
      await counted;
      return work();
    }
    const result = work();
    result.catch(() => undefined);
    await counted;
    return result;
  }

  /**
   * Counts the call. Throws at once if the token's hourly limit is used up, and rejects if this call exceeds the cap.
   */
  charge(charges: readonly Charge[]): Promise<unknown> {
    for (const charge of charges) this.refuseSpent(charge);
    return Promise.all(
      charges.map(async (charge) => {
        const { refusal } = await this.count(charge, 1);
        if (refusal) throw refusal;
      }),
    );
  }

  /** Counts further calls of a request that has been counted once. The first of them are granted, up to the cap. */
  async chargeMore(charges: readonly Charge[], calls: number): Promise<Granted> {
    if (calls === 0) return { granted: 0 };
    const counted = await Promise.all(charges.map((charge) => this.count(charge, calls)));
    return counted.reduce((least, one) => (one.granted < least.granted ? one : least), { granted: calls });
  }

  /** A token whose hourly limit is used up is answered from memory: a flood causes no writes and no requests. */
  private refuseSpent(charge: Charge): void {
    const window = this.windowOf(charge);
    if (window.seen >= charge.cap) throw this.refusal(charge, window);
  }

  private async count(charge: Charge, calls: number): Promise<Granted> {
    const window = this.windowOf(charge);
    const sum = await this.sumWith(charge, window, calls);
    window.seen = Math.max(window.seen, sum ?? 0);
    const room = sum === undefined ? roomAlone(charge, window) : charge.cap - (sum - calls);
    const granted = Math.min(calls, Math.max(0, room));
    if (sum === undefined) {
      window.alone += granted;
      window.owed += granted;
    }
    return granted === calls ? { granted } : { granted, refusal: this.refusal(charge, window, calls - granted) };
  }

  /** The sum of all replicas including these calls; undefined while the counter is unavailable. */
  private async sumWith({ tokenId, bucket }: Charge, window: Window, calls: number): Promise<number | undefined> {
    if (this.clock.now() >= this.pausedUntil) {
      const { hour, owed } = window;
      window.owed = 0;
      try {
        return await this.counter.add({ tokenId, bucket, hour }, calls + owed);
      } catch (thrown) {
        window.owed += owed;
        this.pausedUntil = this.clock.now() + PAUSE_MS;
        this.alarm(thrown);
      }
    }
    this.metrics.rateCounterUnavailable.inc(calls);
    return undefined;
  }

  private windowOf({ tokenId, bucket }: Charge): Window {
    const key = `${tokenId}:${bucket}`;
    const hour = Math.floor(this.clock.now() / HOUR_MS);
    const known = this.windows.get(key);
    if (known?.hour === hour) return known;
    const fresh = { hour, seen: 0, alone: 0, owed: 0 };
    this.windows.set(key, fresh);
    return fresh;
  }

  private refusal({ bucket, cap, allowed }: Charge, { hour }: Window, calls = 1): AppError {
    this.metrics.rateLimited.inc({ bucket }, calls);
    const leftMs = (hour + 1) * HOUR_MS - this.clock.now();
    const retryAfterSec = Math.max(1, Math.ceil(leftMs / 1000));
    const message = `this token may make ${allowed} per hour; try again in ${retryAfterSec} s`;
    return fail('rate_limited', message, { limit: cap, retryAfterSec });
  }

  private alarm(thrown: unknown): void {
    const now = this.clock.now();
    if (now < this.quietUntil) return;
    this.quietUntil = now + ALARM_EVERY_MS;
    this.logger.error(
      { err: thrown },
      'the rate counter is unavailable: every gateway allows half of each cap by itself',
    );
  }
}

/** A replica that has to count alone allows half of the cap, and never more than the last known remainder. */
const roomAlone = ({ cap }: Charge, { alone, seen, owed }: Window): number =>
  Math.min(Math.max(1, Math.floor(cap / 2)) - alone, cap - seen - owed);
