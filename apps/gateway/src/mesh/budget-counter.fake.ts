import type { BudgetCounter } from './budget-counter.port.js';

export class InMemoryBudgetCounter implements BudgetCounter {
  readonly sums = new Map<string, number>();

  add(subject: string, amount: number): Promise<number> {
    const sum = (this.sums.get(subject) ?? 0) + amount;
    this.sums.set(subject, sum);
    return Promise.resolve(sum);
  }
}
