import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AppProcess, freePort } from '@cairn/local-servers';
import type { Benchmark, Line } from './benchmark.js';
import { endProcess, spawnEmptyServer } from './empty-server-process.js';
import { ms, times } from './format.js';
import type { Laboratory } from './laboratory.js';
import { McpClient } from './mcp-client.js';
import { toolCall } from './mcp-request.js';
import { median } from './statistics.js';
import { readWorkload } from './workloads.js';

const POLL_MS = 5;
const TIMEOUT_MS = 120_000;
const SEARCH = { query: 'when is the release', mode: 'hybrid' };

interface Started {
  readonly firstMs: number;
  /** Until the model is loaded and a query is also answered by meaning. */
  readonly fullMs: number;
}

type Answer = { readonly degraded: boolean } | undefined;

const ask = async (client: McpClient, token: string | undefined): Promise<Answer> => {
  try {
    const { result } = await client.call(toolCall('stateless', 'search_knowledge_base', SEARCH, token));
    return result['structuredContent'] as Answer;
  } catch {
    return undefined;
  }
};

const pollAnswers = async (port: number, tokenOf: () => string | undefined, startMs: number): Promise<Started> => {
  const client = new McpClient(`http://127.0.0.1:${port}/mcp`, 1);
  let firstMs: number | undefined;
  try {
    for (;;) {
      const answer = await ask(client, tokenOf());
      const elapsedMs = performance.now() - startMs;
      if (answer) firstMs ??= elapsedMs;
      if (answer?.degraded === false) return { firstMs: firstMs!, fullMs: elapsedMs };
      if (elapsedMs > TIMEOUT_MS) throw new Error('no complete answer in time');
      await delay(POLL_MS);
    }
  } finally {
    client.close();
  }
};

const startProduct = async (home: string): Promise<Started> => {
  const port = await freePort();
  const tokenFile = join(home, 'admin-token');
  const tokenOf = (): string | undefined =>
    existsSync(tokenFile) ? readFileSync(tokenFile, 'utf8').trim() : undefined;
  const startMs = performance.now();
  const app = AppProcess.start('standalone', { CAIRN_HOME: home, CAIRN_PORT: String(port), LOG_LEVEL: 'warn' });
  try {
    return await pollAnswers(port, tokenOf, startMs);
  } finally {
    await app.end('SIGTERM');
  }
};

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
