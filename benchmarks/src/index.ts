/**
 * Whole-system measurements: the product beside its floor, by turns in one run, as ratios. Refuses to judge a change by
 * failing (a miss is printed, never an error) and to be imported by product code.
 */
export { type Benchmark, type Line } from './benchmark.js';
export { BENCHMARKS } from './benchmarks.js';
