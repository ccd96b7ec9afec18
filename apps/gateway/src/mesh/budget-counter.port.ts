/** Sums that all replicas share, for days rather than hours. */
export interface BudgetCounter {
  /**
   * Adds and returns the new sum; an amount of 0 reads it, a negative amount subtracts. Throws if the sum is unknown.
   */
  add(subject: string, amount: number): Promise<number>;
}
