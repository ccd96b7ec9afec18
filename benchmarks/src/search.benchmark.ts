import type { Benchmark, Line } from './benchmark.js';
import { EmptyServer } from './empty-server-process.js';
import { roundText, times } from './format.js';
import type { Laboratory } from './laboratory.js';
import { runLoad, sideBySide } from './load.js';
import { McpClient } from './mcp-client.js';
import { toolCall } from './mcp-request.js';
import type { Product } from './product.js';
import { readWorkload, type Era, type Workload } from './workloads.js';

interface Sides {
  readonly product: Product;
  readonly floor: EmptyServer;
  readonly queries: readonly string[];
  readonly answerBytes: number;
}

/** Runs every query once: this caches its vector and checks that the answer is complete. */
const warmQueries = async (product: Product, queries: readonly string[], limit: number) => {
  const client = new McpClient(product.mcpUrl, 1);
  const answers = [];
  for (const query of queries) answers.push(await client.call(product.searchRequest('stateless', query, limit)));
  client.close();
  for (const { result } of answers) {
    const { degraded, hits } = result['structuredContent'] as { degraded: boolean; hits: unknown[] };
    if (degraded || hits.length < limit)
      throw new Error(`a search answered ${hits.length} hits, degraded: ${degraded}`);
  }
  return answers[0]!;
};

const measure = async (sides: Sides, workload: Workload<'search'>, era: Era, concurrency: number) => {
  const { product, floor, queries } = sides;
  const { roundMs: durationMs, warmUpMs, limit, rounds } = workload;
  const floorClient = new McpClient(floor.mcpUrl, concurrency);
  const productClient = new McpClient(product.mcpUrl, concurrency);
  const floorRequests = queries.map((query) =>
    toolCall(era, 'search_knowledge_base', { query, limit, mode: 'hybrid' }),
  );
  const productRequests = queries.map((query) => product.searchRequest(era, query, limit));
  const askFloor = (i: number): Promise<unknown> => floorClient.post(floorRequests[i % queries.length]!);
  const askProduct = (i: number): Promise<unknown> => productClient.post(productRequests[i % queries.length]!);
  try {
    await runLoad({ concurrency, durationMs: warmUpMs, work: askFloor });
    await runLoad({ concurrency, durationMs: warmUpMs, work: askProduct });
    return await sideBySide(rounds, {
      floor: () => runLoad({ concurrency, durationMs, cpuMs: floor.cpuMs, work: askFloor }),
      product: () => runLoad({ concurrency, durationMs, cpuMs: product.cpuMs, work: askProduct }),
    });
  } finally {
    floorClient.close();
    productClient.close();
  }
};

const lineOf = (
  sides: Sides,
  { p95TimesFloorMax }: Workload<'search'>['aim'],
  case_: { readonly era: Era; readonly concurrency: number },
  measured: Awaited<ReturnType<typeof measure>>,
): Line => {
  const { era, concurrency } = case_;
  const value = measured.product.p95Ms / measured.floor.p95Ms;
  return {
    id: `search.${era}.c${concurrency}`,
    what: `hybrid search, ${era} era, c=${concurrency}`,
    product: roundText(measured.product),
    floor: `empty server ${roundText(measured.floor)}`,
    ratio: { value, text: `${times(value)} p95` },
    aim: { text: `<= ${p95TimesFloorMax}x`, isMet: value <= p95TimesFloorMax },
    figures: { ...measured, chunks: sides.product.chunks, answerBytes: sides.answerBytes },
  };
};

export const searchBenchmark: Benchmark = {
  name: 'search',
  about: 'hybrid search with cached query vectors, beside an empty MCP server that answers with the same bytes',
  run: async (laboratory: Laboratory) => {
    const workload = readWorkload('search');
    const product = await laboratory.seeded();
    const queries = laboratory.texts().queries(workload.queries);
    const { result, bytes } = await warmQueries(product, queries, workload.limit);
    const answers = { search_knowledge_base: result };
    const floor = await EmptyServer.start({ workDir: laboratory.workDir, answers });
    const sides = { product, floor, queries, answerBytes: bytes };
    const lines: Line[] = [];
    try {
      for (const concurrency of workload.concurrency) {
        for (const era of workload.eras) {
          laboratory.log(`search, ${era} era, c=${concurrency}`);
          const measured = await measure(sides, workload, era, concurrency);
          lines.push(lineOf(sides, workload.aim, { era, concurrency }, measured));
        }
      }
    } finally {
      await floor.stop();
    }
    return lines;
  },
};
