import { fail } from '@cairn/contracts';
import type { CounterKey, RateCounter } from './rate-counter.port.js';

/** Counts in a map; a test can make it unavailable. */
export class InMemoryRateCounter implements RateCounter {
  isUnavailable = false;
  /** The number of calls. */
  asked = 0;
  private readonly sums = new Map<string, number>();

  async add({ tokenId, bucket, hour }: CounterKey, amount: number): Promise<number> {
    this.asked++;
    await Promise.resolve();
    if (this.isUnavailable) throw fail('service.unavailable', 'the rate counter is unavailable');
    const key = `${tokenId}.${bucket}.${hour}`;
    const sum = (this.sums.get(key) ?? 0) + amount;
    this.sums.set(key, sum);
    return sum;
  }
}
