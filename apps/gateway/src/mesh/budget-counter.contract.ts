import { describe, expect, it } from '@jest/globals';
import { meshTokensSubject } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import type { BudgetCounter } from './budget-counter.port.js';

const newSubject = (): string => meshTokensSubject(uuidV7(), '2026-11-17');

/** What the checks of a fetch rely on; both the fake and the adapter must satisfy it. */
export const budgetCounterContract = (name: string, counter: () => BudgetCounter): void => {
  describe(`${name} as a counter of budgets`, () => {
    it('starts at zero, adds, subtracts and reads', async () => {
      const subject = newSubject();
      const sums: number[] = [];
      for (const amount of [0, 4_000, -3_990, 0, -10]) sums.push(await counter().add(subject, amount));
      expect(sums).toEqual([0, 4_000, 10, 10, 0]);
    });

    it('keeps subjects apart', async () => {
      const [first, second] = [newSubject(), newSubject()];
      await counter().add(first, 3);
      expect(await counter().add(second, 1)).toBe(1);
      expect(await counter().add(first, 1)).toBe(4);
    });

    it('returns a different sum to each of several concurrent calls', async () => {
      const subject = newSubject();
      const sums = await Promise.all(Array.from({ length: 100 }, () => counter().add(subject, 7)));
      expect(sums.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => 7 * (i + 1)));
    });
  });
};
