import type { Benchmark, Line } from './benchmark.js';
import { roundText, times } from './format.js';
import type { Laboratory } from './laboratory.js';
import { runLoad, sideBySide, type Round } from './load.js';
import { McpClient } from './mcp-client.js';
import { toolCall, type PreparedRequest } from './mcp-request.js';
import type { Product } from './product.js';
import { readWorkload, type Workload } from './workloads.js';

/** Both sides use the same vectors and number of hits; only the content of a hit differs. */
const requestsOf = (product: Product, queries: readonly string[], topK: number) => ({
  recall: queries.map((query) => toolCall('stateless', 'recall', { query, topK, minScore: 0 }, product.token)),
  semantic: queries.map((query) =>
    toolCall('stateless', 'search_knowledge_base', { query, limit: topK, mode: 'semantic' }, product.token),
  ),
});

/** Runs every query once to cache its vector, and checks that it finds something. */
const warm = async (client: McpClient, requests: Record<'recall' | 'semantic', readonly PreparedRequest[]>) => {
  for (const request of [...requests.semantic, ...requests.recall]) {
    const { result } = await client.call(request);
    const { hits, results } = result['structuredContent'] as { hits?: unknown[]; results?: unknown[] };
    if ((hits ?? results ?? []).length === 0) throw new Error('a search found nothing');
  }
};

const lineOf = (
  concurrency: number,
  { recall, semantic }: Record<'recall' | 'semantic', Round>,
  { p95TimesSemanticMax }: Workload<'recall'>['aim'],
): Line => {
  const value = recall.p95Ms / semantic.p95Ms;
  return {
    id: `recall.c${concurrency}`,
    what: `recall, c=${concurrency}`,
    product: roundText(recall),
    floor: `semantic mode ${roundText(semantic)}`,
    ratio: { value, text: `${times(value)} p95` },
    aim: { text: `<= ${p95TimesSemanticMax}x`, isMet: value <= p95TimesSemanticMax },
    figures: { recall, semantic },
  };
};

export const recallBenchmark: Benchmark = {
  name: 'recall',
  about: 'recall with cached query vectors, beside search_knowledge_base in semantic mode with as many hits',
  run: async (laboratory: Laboratory) => {
    const { concurrency: levels, rounds, roundMs: durationMs, queries: n, topK, aim } = readWorkload('recall');
    const product = await laboratory.seeded();
    const requests = requestsOf(product, laboratory.texts().queries(n), topK);
    const lines: Line[] = [];
    for (const concurrency of levels) {
      laboratory.log(`recall, c=${concurrency}`);
      const client = new McpClient(product.mcpUrl, concurrency);
      const side = (prepared: readonly PreparedRequest[]) => (): Promise<Round> =>
        runLoad({ concurrency, durationMs, cpuMs: product.cpuMs, work: (i) => client.post(prepared[i % n]!) });
      try {
        await warm(client, requests);
        const measured = await sideBySide(rounds, { recall: side(requests.recall), semantic: side(requests.semantic) });
        lines.push(lineOf(concurrency, measured, aim));
      } finally {
        client.close();
      }
    }
    return lines;
  },
};
