import { fail } from '@cairn/contracts';
import type { CounterKey, RateCounter } from './rate-counter.port.js';

/** Counts in a map; can be taken away. */
export class InMemoryRateCounter implements RateCounter {
  isAway = false;
  /** How often it was asked. */
  asked = 0;
  private readonly sums = new Map<string, number>();

  async add({ tokenId, bucket, hour }: CounterKey, amount: number): Promise<number> {
    this.asked++;
    await Promise.resolve();
    if (this.isAway) throw fail('service.unavailable', 'the rate counter is away');
    const key = `${tokenId}.${bucket}.${hour}`;
    const sum = (this.sums.get(key) ?? 0) + amount;
    this.sums.set(key, sum);
    return sum;
  }
}
