import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@cairn/local-servers';
import type { Benchmark, Line } from './benchmark.js';
import { endProcess, spawnEmptyServer } from './empty-server-process.js';
import { ms, times } from './format.js';
import type { Laboratory } from './laboratory.js';
import { pollAnswers, startProduct, type Started } from './product-start.js';
import { median } from './statistics.js';
import { readWorkload } from './workloads.js';

const startFloor = async (workDir: string): Promise<Started> => {
  const port = await freePort();
  const answers = { search_knowledge_base: { content: [], structuredContent: { hits: [], degraded: false } } };
  const startMs = performance.now();
  const child = spawnEmptyServer({ workDir, answers, port });
  try {
    return await pollAnswers(port, () => undefined, startMs);
  } finally {
    await endProcess(child);
  }
};

const lineOf = (id: string, what: string, product: readonly Started[], floor: readonly Started[]): Line => {
  const [firstMs, floorMs] = [
    median(product.map((start) => start.firstMs)),
    median(floor.map((start) => start.firstMs)),
  ];
  const fullMs = median(product.map((start) => start.fullMs));
  const value = firstMs / floorMs;
  return {
    id: `start.${id}`,
    what,
    product: `${ms(firstMs)}, with vectors ${ms(fullMs)}`,
    floor: `empty server ${ms(floorMs)}`,
    ratio: { value, text: times(value) },
    figures: { product, floor },
  };
};

export const startBenchmark: Benchmark = {
  name: 'start',
  about:
    'from spawning the process to its first answered search, on a used and on an empty home, beside the empty server',
  run: async (laboratory: Laboratory) => {
    const { rounds } = readWorkload('start');
    const { chunks } = await laboratory.running();
    await laboratory.stopProduct();
    const [floor, used, empty]: [Started[], Started[], Started[]] = [[], [], []];
    for (let round = 0; round < rounds; round++) {
      laboratory.log(`start, round ${round + 1} of ${rounds}`);
      const emptyHome = join(laboratory.workDir, `empty-home-${round}`);
      floor.push(await startFloor(laboratory.workDir));
      used.push(await startProduct(laboratory.home));
      empty.push(await startProduct(emptyHome));
      rmSync(emptyHome, { recursive: true, force: true });
    }
    return [
      lineOf('used', `start to first answer, home with ${chunks} chunks`, used, floor),
      lineOf('empty', 'start to first answer, empty home', empty, floor),
    ];
  },
};
