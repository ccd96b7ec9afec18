import { join } from 'node:path';
import type { Benchmark, Line } from './benchmark.js';
import { cairn } from './cairn-cli.js';
import { roundText, times } from './format.js';
import type { Laboratory } from './laboratory.js';
import { runLoad, sideBySide, until, type Round } from './load.js';
import { McpClient } from './mcp-client.js';
import { toolCall } from './mcp-request.js';
import { Product } from './product.js';
import { readWorkload, type Workload } from './workloads.js';

interface Scene {
  readonly home: string;
  readonly product: Product;
  readonly client: McpClient;
  readonly workload: Workload<'forget'>;
  readonly laboratory: Laboratory;
  /** Sources that are still stored. */
  readonly sources: string[];
}

const storeOne = ({ product, client, laboratory }: Scene): Promise<unknown> =>
  client.post(product.storeRequest('stateless', laboratory.takeTexts(1)[0]!));

const forgetOne = ({ product, client, sources }: Scene): Promise<unknown> =>
  client.post(toolCall('stateless', 'forget', { sourceId: sources.pop()! }, product.token));

const searchOne = (scene: Scene) => {
  const { product, client, workload, laboratory } = scene;
  const queries = laboratory.texts().queries(workload.queries);
  const requests = queries.map((query) => product.searchRequest('stateless', query, 10));
  return (i: number): Promise<unknown> => client.post(requests[i % requests.length]!);
};

const fill = async (scene: Scene): Promise<void> => {
  const { product, workload, laboratory, sources } = scene;
  const texts = laboratory.takeTexts(workload.library);
  const work = async (i: number): Promise<void> => {
    const { title, body } = texts[i]!;
    sources.push(await product.storeItem({ title, text: body }));
  };
  await runLoad({ concurrency: 16, count: texts.length, work });
  await product.untilEmbedded();
};

/** The response time of a forgetting, compared with a store. */
const answers = (scene: Scene) => {
  const { rounds, callsPerRound: count } = scene.workload;
  const cpuMs = scene.product.cpuMs;
  return sideBySide(rounds, {
    store: () => runLoad({ concurrency: 1, count, cpuMs, work: () => storeOne(scene) }),
    forget: () => runLoad({ concurrency: 1, count, cpuMs, work: () => forgetOne(scene) }),
  });
};

interface Disturbed {
  readonly before: Round;
  /** While many sources are forgotten and erased. */
  readonly forgetting: Round;
  /** While their last bytes are purged. */
  readonly purging: Round;
}

/** One kind of call: alone, and during forgetting. */
const disturbed = async (scene: Scene, work: (i: number) => Promise<unknown>): Promise<Disturbed> => {
  const { rounds, roundMs: durationMs, sources: count, concurrency } = scene.workload;
  const round = () => runLoad({ concurrency: 1, durationMs, work });
  const { before } = await sideBySide(rounds, { before: round });
  const forgetting = await until(runLoad({ concurrency, count, work: () => forgetOne(scene) }), round);
  const purging = await until(cairn({ CAIRN_HOME: scene.home }, 'forget', 'purge'), round);
  return { before, forgetting, purging };
};

const answerLine = ({ aim }: Workload<'forget'>, measured: Awaited<ReturnType<typeof answers>>): Line => {
  const value = measured.forget.p95Ms / measured.store.p95Ms;
  return {
    id: 'forget.answer',
    what: 'forget, c=1',
    product: roundText(measured.forget),
    floor: `store ${roundText(measured.store)}`,
    ratio: { value, text: `${times(value)} p95` },
    aim: { text: `<= ${aim.answerTimesStoreMax}x`, isMet: value <= aim.answerTimesStoreMax },
    figures: { ...measured },
  };
};

const disturbedLines = (
  { aim, sources }: Workload<'forget'>,
  name: 'store' | 'search',
  measured: Disturbed,
): Line[] => {
  const line = (during: 'forgetting' | 'purging', what: string): Line => {
    const value = measured[during].p95Ms / measured.before.p95Ms;
    return {
      id: `forget.${during}.${name}`,
      what: `${name} while ${sources} sources are ${what}`,
      product: roundText(measured[during]),
      floor: `before ${roundText(measured.before)}`,
      ratio: { value, text: `${times(value)} p95` },
      aim: { text: `<= ${aim.p95TimesBeforeMax}x`, isMet: value <= aim.p95TimesBeforeMax },
      figures: { before: measured.before, during: measured[during] },
    };
  };
  return [line('forgetting', 'forgotten'), line('purging', 'purged')];
};

export const forgetBenchmark: Benchmark = {
  name: 'forget',
  about: 'what forgetting answers in beside a store, and what it does to stores and searches meanwhile',
  run: async (laboratory) => {
    await laboratory.stopProduct();
    const workload = readWorkload('forget');
    const home = join(laboratory.workDir, 'forget');
    const product = await Product.start(home);
    const client = new McpClient(product.mcpUrl, workload.concurrency + 1);
    const scene: Scene = { home, product, client, workload, laboratory, sources: [] };
    try {
      await fill(scene);
      const answer = answerLine(workload, await answers(scene));
      const search = disturbedLines(workload, 'search', await disturbed(scene, searchOne(scene)));
      const store = disturbedLines(workload, 'store', await disturbed(scene, () => storeOne(scene)));
      return [answer, ...search, ...store];
    } finally {
      client.close();
      await product.stop();
    }
  },
};
