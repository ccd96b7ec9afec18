import type { Benchmark } from './benchmark.js';
import { CLUSTER } from './peers/peer-profile.js';
import { measurePeers } from './peers/peers-measurement.js';
import { measureReplicas } from './replicas/replicas-measurement.js';

export const clusterBenchmark: Benchmark = {
  name: 'cluster',
  about:
    '1, 2 and 4 replicas of each service, then what peers measures, on native Postgres, OpenSearch and nats-server',
  onlyNamed: true,
  run: async (laboratory) => [...(await measureReplicas(laboratory)), ...(await measurePeers(laboratory, CLUSTER))],
};
