import { join } from 'node:path';
import { systemPrincipal } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import { connectNats, Requester } from '@cairn/messaging';
import { Database } from '@cairn/persistence';
import { recallAt } from '@cairn/testing';
import { toSql } from 'pgvector';
import type { Benchmark, Line } from './benchmark.js';
import { roundText, times } from './format.js';
import type { Laboratory } from './laboratory.js';
import { runLoad, sideBySide } from './load.js';
import { McpClient } from './mcp-client.js';
import { toolCall } from './mcp-request.js';
import { Product } from './product.js';
import { readWorkload, type Workload } from './workloads.js';

/** A token and how much of the library it sees. */
interface Scope {
  readonly selectivity: number;
  readonly folderId: string | undefined;
  readonly token: string;
}

const CONCURRENCY = 16;
const PROGRESS_EVERY = 2_000;

const slugOf = (selectivity: number): string => `share-${String(selectivity).replace('.', '-')}`;

const openScope = async (product: Product, selectivity: number): Promise<Scope> => {
  const slug = slugOf(selectivity);
  const folder = selectivity === 1 ? undefined : await product.post<{ id: string }>('/folders', { slug, name: slug });
  const seen = folder === undefined ? { isUnscoped: true } : { folderIds: [folder.id] };
  const issued = { name: slug, scopes: ['read'], rateLimitPerHour: 1_000_000, ...seen };
  const { token } = await product.post<{ token: string }>('/tokens', issued);
  return { selectivity, folderId: folder?.id, token };
};

/** Every folder's share is spread evenly over the library; the rest goes to the default folder. */
const folderFor = (index: number, scopes: readonly Scope[]): string | undefined => {
  const narrow = scopes.filter(({ folderId }) => folderId !== undefined).sort((a, b) => a.selectivity - b.selectivity);
  let offset = 0;
  for (const { selectivity, folderId } of narrow) {
    if ((index + offset) % Math.round(1 / selectivity) === 0) return folderId;
    offset++;
  }
  return undefined;
};

const fill = async (
  laboratory: Laboratory,
  product: Product,
  scopes: readonly Scope[],
  { wordsMin, wordsMax, ...workload }: Workload<'scope'>,
) => {
  const texts = laboratory.texts({ wordsMin, wordsMax });
  const chunks = laboratory.chunksOr(workload.chunks);
  for (let from = 0; from < chunks; from += PROGRESS_EVERY) {
    const count = Math.min(PROGRESS_EVERY, chunks - from);
    const work = (i: number): Promise<unknown> => {
      const { title, body } = texts.at(from + i);
      const folderId = folderFor(from + i, scopes);
      return product.storeItem({ title, text: body, ...(folderId === undefined ? {} : { folderId }) });
    };
    await runLoad({ concurrency: CONCURRENCY, count, work });
    await product.untilEmbedded();
    laboratory.log(`scope: ${product.chunks} of ${chunks} chunks stored and embedded`);
  }
};

/** The exact nearest neighbours: compares every vector of the scope, without an index. */
class ExactSearch {
  private constructor(
    private readonly database: Database,
    private readonly requester: Requester,
    readonly close: () => Promise<void>,
  ) {}

  static async open(product: Product): Promise<ExactSearch> {
    const { natsUrl, databaseUrl } = product.host.run;
    const nats = await connectNats({ url: natsUrl }, 'bench-scope');
    const database = await Database.connect({ url: databaseUrl, applicationName: 'bench-scope' });
    return new ExactSearch(database, new Requester(nats), async () => {
      await database.close();
      await nats.close();
    });
  }

  async nearest(query: string, folderId: string | undefined, limit: number): Promise<string[]> {
    const context = { principal: systemPrincipal(uuidV7()), correlationId: uuidV7(), id: uuidV7() };
    const { vector, model } = await this.requester.query('query.embed', { text: query }, context);
    const bytes = new Uint8Array(Buffer.from(vector, 'base64'));
    const literal = toSql([...new Float32Array(bytes.buffer)]) as string;
    // The addition prevents Postgres from using the index for the order.
    const { rows } = await this.database.pool.query<{ id: string }>(
      `select c.id from library.chunks c
       join vectors.embeddings e on e.chunk_id = c.id and e.text_hash = c.text_hash and e.model = $2
       where $3::uuid is null or c.folder_id = $3
       order by (e.embedding <=> $1::vector) + 0 limit $4`,
      [literal, model, folderId ?? null, limit],
    );
    return rows.map(({ id }) => id);
  }
}

interface Asked {
  readonly product: Product;
  readonly queries: readonly string[];
  readonly workload: Workload<'scope'>;
}

const requestsOf = ({ queries, workload }: Asked, mode: string, { token }: Scope) =>
  queries.map((query) => toolCall('stateless', 'search_knowledge_base', { query, mode, limit: workload.limit }, token));

const recallOf = async (asked: Asked, exact: ExactSearch, scope: Scope): Promise<number> => {
  const client = new McpClient(asked.product.mcpUrl, 1);
  const { queries, workload } = asked;
  let total = 0;
  try {
    for (const [i, request] of requestsOf(asked, 'semantic', scope).entries()) {
      const { result } = await client.call(request);
      const found = (result['structuredContent'] as { hits: { chunkId: string }[] }).hits.map((hit) => hit.chunkId);
      const truth = await exact.nearest(queries[i]!, scope.folderId, workload.limit);
      total += recallAt(workload.limit, found, new Map(truth.map((id) => [id, 1])));
    }
  } finally {
    client.close();
  }
  return total / queries.length;
};

const timesOf = (asked: Asked, narrow: Scope, whole: Scope) => {
  const client = new McpClient(asked.product.mcpUrl, 1);
  const { rounds, roundMs: durationMs } = asked.workload;
  const side = (scope: Scope) => {
    const requests = requestsOf(asked, 'hybrid', scope);
    const work = (i: number): Promise<unknown> => client.post(requests[i % requests.length]!);
    return () => runLoad({ concurrency: 1, durationMs, cpuMs: asked.product.cpuMs, work });
  };
  return sideBySide(rounds, { whole: side(whole), narrow: side(narrow) }).finally(() => client.close());
};

const recallLine = ({ product, workload }: Asked, { selectivity }: Scope, recall: number): Line => ({
  id: `scope.recall.${selectivity}`,
  what: `recall@${workload.limit} of a token that sees ${selectivity} of the library`,
  product: `${recall.toFixed(3)} of ${product.chunks} chunks`,
  floor: 'exact scan 1.000',
  ratio: { value: recall, text: recall.toFixed(3) },
  aim: { text: `>= ${workload.aim.recallMin}`, isMet: recall >= workload.aim.recallMin },
  figures: { recall, selectivity, chunks: product.chunks },
});

const timeLine = (
  { product, workload }: Asked,
  { selectivity }: Scope,
  measured: Awaited<ReturnType<typeof timesOf>>,
): Line => {
  const value = measured.narrow.p95Ms / measured.whole.p95Ms;
  const { p95TimesUnfilteredMax } = workload.aim;
  return {
    id: `scope.p95.${selectivity}`,
    what: `hybrid search of a token that sees ${selectivity} of the library`,
    product: roundText(measured.narrow),
    floor: `whole library ${roundText(measured.whole)}`,
    ratio: { value, text: `${times(value)} p95` },
    aim: { text: `<= ${p95TimesUnfilteredMax}x`, isMet: value <= p95TimesUnfilteredMax },
    figures: { ...measured, chunks: product.chunks },
  };
};

export const scopeBenchmark: Benchmark = {
  name: 'scope',
  about: 'what a narrow token costs: recall against an exact scan, and time beside an unscoped one',
  run: async (laboratory) => {
    await laboratory.stopProduct();
    const workload = readWorkload('scope');
    const product = await Product.start(join(laboratory.workDir, 'scope'));
    try {
      const scopes = await Promise.all(workload.selectivities.map((share) => openScope(product, share)));
      await fill(laboratory, product, scopes, workload);
      const asked = { product, workload, queries: laboratory.texts().queries(workload.queries) };
      const exact = await ExactSearch.open(product);
      const lines: Line[] = [];
      for (const scope of scopes) lines.push(recallLine(asked, scope, await recallOf(asked, exact, scope)));
      await exact.close();
      const whole = scopes.find(({ folderId }) => folderId === undefined)!;
      const narrow = scopes.find(({ selectivity }) => selectivity === workload.timed)!;
      return [...lines, timeLine(asked, narrow, await timesOf(asked, narrow, whole))];
    } finally {
      await product.stop();
    }
  },
};
