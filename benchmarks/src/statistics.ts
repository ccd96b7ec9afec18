/** Samples are copied before sorting: they belong to the caller. */
const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

/** The nearest-rank percentile, which is always a measured value. */
export const percentile = (values: readonly number[], percent: number): number => {
  if (values.length === 0) return Number.NaN;
  const rank = Math.ceil((percent / 100) * values.length);
  return sorted(values)[Math.max(0, rank - 1)]!;
};

export const median = (values: readonly number[]): number => {
  const ordered = sorted(values);
  const middle = Math.floor(ordered.length / 2);
  return ordered.length % 2 === 1 ? ordered[middle]! : (ordered[middle - 1]! + ordered[middle]!) / 2;
};

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
