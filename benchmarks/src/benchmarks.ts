import type { Benchmark } from './benchmark.js';
import { clusterBenchmark } from './cluster.benchmark.js';
import { embeddingBenchmark } from './embedding.benchmark.js';
import { qualityBenchmark } from './quality.benchmark.js';
import { forgetBenchmark } from './forget.benchmark.js';
import { graphBenchmark } from './graph.benchmark.js';
import { memoryBenchmark } from './memory.benchmark.js';
import { peersBenchmark } from './peers.benchmark.js';
import { recallBenchmark } from './recall.benchmark.js';
import { replayBenchmark } from './replay.benchmark.js';
import { scopeBenchmark } from './scope.benchmark.js';
import { searchBenchmark } from './search.benchmark.js';
import { startBenchmark } from './start.benchmark.js';
import { storeBenchmark } from './store.benchmark.js';

/**
 * In running order: embedding fills the library; search, recall and memory use it at full size; store adds to it; start
 * needs it stopped; forget, quality, scope, graph, peers and cluster start their own
 * products.
 */
export const BENCHMARKS: readonly Benchmark[] = [
  embeddingBenchmark,
  searchBenchmark,
  recallBenchmark,
  memoryBenchmark,
  replayBenchmark,
  storeBenchmark,
  startBenchmark,
  forgetBenchmark,
  qualityBenchmark,
  scopeBenchmark,
  graphBenchmark,
  peersBenchmark,
  clusterBenchmark,
];
