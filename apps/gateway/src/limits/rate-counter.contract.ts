import { describe, expect, it } from '@jest/globals';
import { uuidV7 } from '@cairn/kernel';
import type { RateCounter } from './rate-counter.port.js';

const key = (change: Partial<{ bucket: string; hour: number }> = {}) => ({
  tokenId: uuidV7(),
  bucket: 'calls',
  hour: 500_000,
  ...change,
});

/** What the limiter relies on; both the fake and the adapter must satisfy it. */
export const rateCounterContract = (name: string, counter: () => RateCounter): void => {
  describe(`${name} as a rate counter`, () => {
    it('starts at zero and returns the sum including the added amount', async () => {
      const calls = key();
      expect(await counter().add(calls, 1)).toBe(1);
      expect(await counter().add(calls, 1)).toBe(2);
      expect(await counter().add(calls, 5)).toBe(7);
    });

    it('keeps tokens, buckets and hours apart', async () => {
      const calls = key();
      await counter().add(calls, 3);
      expect(await counter().add({ ...calls, hour: calls.hour + 1 }, 1)).toBe(1);
      expect(await counter().add({ ...calls, bucket: 'add_to_knowledge' }, 1)).toBe(1);
      expect(await counter().add(key(), 1)).toBe(1);
      expect(await counter().add(calls, 1)).toBe(4);
    });

    it('returns a different sum to each of several concurrent calls', async () => {
      const calls = key();
      const sums = await Promise.all(Array.from({ length: 100 }, () => counter().add(calls, 1)));
      expect(sums.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
    });
  });
};
