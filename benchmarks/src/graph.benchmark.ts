import { chmodSync, cpSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { defaultCacheDir } from '@cairn/artifacts';
import { startNativePostgres, startOpenSearch } from '@cairn/local-servers';
import type { Benchmark, Line } from './benchmark.js';
import { cairn } from './cairn-cli.js';
import { EmptyServer } from './empty-server-process.js';
import { perSecond, roundText, times } from './format.js';
import { graphCosts } from './graph-costs.js';
import { GraphLibrary } from './graph-library.js';
import type { Laboratory } from './laboratory.js';
import { runLoad, sideBySide, type Round } from './load.js';
import { McpClient } from './mcp-client.js';
import { toolCall } from './mcp-request.js';
import { Product } from './product.js';

/** A product whose database applies the whole log at its start needs this long. */
const CATCH_UP_MS = 3_600_000;

const SIDES = ['embedded', 'native'] as const;
type Side = (typeof SIDES)[number];
type Products = Readonly<Record<Side, Product>>;

/** One tool, called with one set of arguments after the other. */
interface Asked {
  readonly id: string;
  readonly what: string;
  readonly tool: string;
  readonly arguments: readonly Readonly<Record<string, unknown>>[];
  readonly p95Ms?: Readonly<Record<Side, number>>;
}

const askedOf = (library: GraphLibrary): Asked[] => {
  const { depth, aim } = library.workload;
  return [
    {
      id: 'graph.traverse',
      what: `traverse, depth ${depth}`,
      tool: 'carabase_traverse_memory_network',
      arguments: library.anchors().map((id) => ({ anchor: [id], depth })),
      p95Ms: aim.traverseP95Ms,
    },
    {
      id: 'graph.search',
      what: `search_graph, depth ${depth}`,
      tool: 'carabase_search_graph',
      arguments: library.people().map((name) => ({ start_entity: name, depth })),
      p95Ms: aim.walkP95Ms,
    },
    {
      id: 'graph.candidates',
      what: 'find_entity_candidates',
      tool: 'carabase_find_entity_candidates',
      arguments: library.people().map((text) => ({ text })),
    },
  ];
};

/** Rounds of sequential calls to one server. */
const caller = (url: string, { tool, arguments: given }: Asked, token: string | undefined) => {
  const client = new McpClient(url, 1);
  const requests = given.map((args) => toolCall('stateless', tool, args, token));
  let next = 0;
  return {
    call: (i: number) => client.call(requests[i % requests.length]!),
    round: (durationMs: number, cpuMs: () => number): Promise<Round> =>
      runLoad({ concurrency: 1, durationMs, cpuMs, work: () => client.post(requests[next++ % requests.length]!) }),
    close: () => client.close(),
  };
};

const measure = async (laboratory: Laboratory, library: GraphLibrary, products: Products, asked: Asked) => {
  const { rounds, roundMs } = library.workload;
  const of = (side: Side) => caller(products[side].mcpUrl, asked, products[side].token);
  const callers = { embedded: of('embedded'), native: of('native') };
  const sample = await callers.native.call(0);
  const floor = await EmptyServer.start({ workDir: laboratory.workDir, answers: { [asked.tool]: sample.result } });
  const empty = caller(floor.mcpUrl, asked, undefined);
  try {
    for (const side of SIDES) await callers[side].round(roundMs, products[side].cpuMs);
    return await sideBySide(rounds, {
      floor: () => empty.round(roundMs / 4, floor.cpuMs),
      embedded: () => callers.embedded.round(roundMs, products.embedded.cpuMs),
      native: () => callers.native.round(roundMs, products.native.cpuMs),
    });
  } finally {
    for (const { close } of [...Object.values(callers), empty]) close();
    await floor.stop();
  }
};

const readLines = async (laboratory: Laboratory, library: GraphLibrary, products: Products): Promise<Line[]> => {
  const lines: Line[] = [];
  for (const asked of askedOf(library)) {
    laboratory.log(`graph: ${asked.what}`);
    const measured = await measure(laboratory, library, products, asked);
    lines.push(...SIDES.map((side) => readLine(library, asked, side, measured)));
    for (const { what, product } of lines.slice(-SIDES.length)) laboratory.log(`${what}: ${product}`);
  }
  return lines;
};

const readLine = (
  { items }: GraphLibrary,
  { id, what, p95Ms }: Asked,
  side: Side,
  measured: Readonly<Record<Side | 'floor', Round>>,
): Line => {
  const value = measured[side].p95Ms / measured.floor.p95Ms;
  return {
    id: `${id}.${side}`,
    what: `${what}, ${items} items, ${side === 'native' ? 'native Postgres' : 'PGlite'}`,
    product: roundText(measured[side]),
    floor: `empty server ${roundText(measured.floor)}`,
    ratio: { value, text: `${times(value)} p95` },
    ...(p95Ms && { aim: { text: `p95 <= ${p95Ms[side]} ms`, isMet: measured[side].p95Ms <= p95Ms[side] } }),
    figures: { ...measured, items },
  };
};

interface ReplayReport {
  readonly ops: number;
  readonly seconds: number;
  readonly equal?: boolean;
}

const replayLine = async (home: string, library: GraphLibrary): Promise<Line> => {
  const { replayOpsPerSecondMin: least } = library.workload.aim;
  const report = await cairn<ReplayReport>({ CAIRN_HOME: home }, 'oplog', 'replay', 'graph');
  if (report.equal === false) throw new Error('the rebuilt graph differs from the live one');
  const rate = report.ops / report.seconds;
  return {
    id: 'graph.replay',
    what: `replay of graph, ${report.ops} ops, PGlite`,
    product: perSecond(rate, 'ops'),
    floor: '',
    aim: { text: `>= ${perSecond(least, 'ops')}`, isMet: rate >= least },
    figures: { ...report },
  };
};

/** A product on cluster servers, with the log of another home, which it applies at its start. */
const startNative = async ({ workDir, log }: Laboratory, home: string) => {
  const cacheDir = process.env['CAIRN_CACHE'] ?? defaultCacheDir(homedir());
  // Postgres refuses to run as root, and the user it runs as must be able to enter this folder.
  chmodSync(workDir, 0o755);
  const [postgres, openSearch] = await Promise.all([
    startNativePostgres({ dataDir: join(workDir, 'graph-postgres'), cacheDir, log }),
    startOpenSearch({ dataDir: join(workDir, 'graph-opensearch'), cacheDir, log }),
  ]);
  const copy = join(workDir, 'graph-native');
  cpSync(home, copy, { recursive: true, filter: (path) => basename(path) !== 'postgres' });
  const env = { DATABASE_URL: postgres.url, OPENSEARCH_URL: openSearch.url };
  const product = await Product.startWithoutEmbedder(copy, env, { timeoutMs: CATCH_UP_MS });
  await product.untilFollowed('graph');
  const stop = () => product.stop().finally(() => Promise.all([openSearch.stop(), postgres.stop()]));
  return { product, stop };
};

const reads = async (laboratory: Laboratory, library: GraphLibrary): Promise<Line[]> => {
  const home = join(laboratory.workDir, 'graph');
  const filled = await Product.startWithoutEmbedder(home);
  await library.fill(filled).finally(() => filled.stop());
  const native = await startNative(laboratory, home);
  const embedded = await Product.startWithoutEmbedder(home);
  try {
    const lines = await readLines(laboratory, library, { embedded, native: native.product });
    await native.stop();
    return [...lines, await replayLine(home, library)];
  } finally {
    await embedded.stop();
  }
};

export const graphBenchmark: Benchmark = {
  name: 'graph',
  about:
    'walks over links and over names, on PGlite and on native Postgres; with --against, what the graph costs stores',
  run: async (laboratory) => {
    await laboratory.stopProduct();
    const library = new GraphLibrary(laboratory);
    const { against } = laboratory;
    const costs = against === undefined ? [] : await graphCosts(laboratory, library, against);
    return [...costs, ...(await reads(laboratory, library))];
  },
};
