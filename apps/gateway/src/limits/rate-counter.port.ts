/** The unit of counting: the calls of one token in one bucket during one hour since the epoch. */
export interface CounterKey {
  readonly tokenId: string;
  readonly bucket: string;
  readonly hour: number;
}

/** One count for all replicas. */
export interface RateCounter {
  /** Adds and returns the new sum. Two concurrent calls get different sums. Throws if the sum is unknown. */
  add(key: CounterKey, amount: number): Promise<number>;
}
