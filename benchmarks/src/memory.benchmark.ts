import type { Benchmark } from './benchmark.js';
import { gigabytes } from './format.js';
import type { Laboratory } from './laboratory.js';
import { sum } from './statistics.js';
import { readWorkload } from './workloads.js';

export const memoryBenchmark: Benchmark = {
  name: 'memory',
  about: 'resident memory of the standalone and its children together, after the library is filled and searched',
  run: async (laboratory: Laboratory) => {
    const { aim } = readWorkload('memory');
    const product = await laboratory.seeded();
    const processes = product.memory();
    const { nats, postgres } = product.host.run.childPids;
    const nameOf = (pid: number): string =>
      ({ [product.host.run.pid]: 'main', [nats]: 'nats', [postgres]: 'postgres' })[pid] ?? 'other';
    const total = sum(processes.map(({ rssBytes }) => rssBytes));
    const peak = sum(processes.map(({ peakBytes }) => peakBytes));
    const parts = processes.map(({ pid, rssBytes }) => `${nameOf(pid)} ${gigabytes(rssBytes)}`);
    return [
      {
        id: 'memory',
        what: `memory with ${product.chunks} chunks`,
        product: `${gigabytes(total)} (${parts.join(', ')}; peaks together ${gigabytes(peak)})`,
        floor: '',
        aim: { text: `< ${gigabytes(aim.bytesMax)}`, isMet: total < aim.bytesMax },
        figures: { total, peak, processes },
      },
    ];
  },
};
