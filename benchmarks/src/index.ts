/**
 * Whole-system measurements: product and floor take turns in one run, and the results are ratios. A missed aim is printed
 * and is never an error. Product code does not import this.
 */
export { type Benchmark, type Line } from './benchmark.js';
export { BENCHMARKS } from './benchmarks.js';
