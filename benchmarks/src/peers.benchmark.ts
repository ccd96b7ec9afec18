import type { Benchmark } from './benchmark.js';
import { STANDALONE } from './peers/peer-profile.js';
import { measurePeers } from './peers/peers-measurement.js';

export const peersBenchmark: Benchmark = {
  name: 'peers',
  about: 'the same texts, vectors and queries in LanceDB and SQLite, in process, beside the product; and how it grows',
  onlyNamed: true,
  run: (laboratory) => measurePeers(laboratory, STANDALONE),
};
