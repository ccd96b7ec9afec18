import type { Benchmark } from './benchmark.js';
import { embeddingBenchmark } from './embedding.benchmark.js';
import { memoryBenchmark } from './memory.benchmark.js';
import { replayBenchmark } from './replay.benchmark.js';
import { searchBenchmark } from './search.benchmark.js';
import { startBenchmark } from './start.benchmark.js';
import { storeBenchmark } from './store.benchmark.js';

/**
 * In the order in which they run: embedding fills the library, search and memory find it at its size, store adds to it,
 * start needs it stopped.
 */
export const BENCHMARKS: readonly Benchmark[] = [
  embeddingBenchmark,
  searchBenchmark,
  memoryBenchmark,
  replayBenchmark,
  storeBenchmark,
  startBenchmark,
];
