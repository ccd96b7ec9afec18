/** What is counted together: the calls of one token in one bucket during one hour since the epoch. */
export interface CounterKey {
  readonly tokenId: string;
  readonly bucket: string;
  readonly hour: number;
}

/** One count for all replicas. */
export interface RateCounter {
  /** Adds, and answers the sum with it. Two that add at the same time get different sums. Throws when it cannot tell. */
  add(key: CounterKey, amount: number): Promise<number>;
}
