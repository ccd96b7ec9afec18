import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { ndcgAt, OWN_JUDGED_SET, readJudgedSet, recallAt, type JudgedSet } from '@cairn/testing';
import type { Benchmark, Line } from './benchmark.js';
import { fittedDocument, fittedQuery } from './fitted.js';
import type { Laboratory } from './laboratory.js';
import { runLoad } from './load.js';
import { McpClient } from './mcp-client.js';
import { toolCall } from './mcp-request.js';
import { Product } from './product.js';
import { RawEncoder } from './raw-encoder.js';

const DEPTH = 10;
const KB_LIMIT = 20;
const KNOWLEDGE_LIMIT = 50;
const CONCURRENCY = 8;

interface ExplainedHit {
  readonly itemId?: string;
  readonly id?: string;
  readonly explain?: { readonly legs: readonly { readonly leg: string; readonly rank: number | null }[] };
}

/** Sends a query to the running product and returns the ranked items, best first. */
interface Ranking {
  readonly name: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly rank: (hits: readonly ExplainedHit[]) => string[];
}

const idOf = ({ itemId, id }: ExplainedHit): string => itemId ?? id!;

/** Several hits may be chunks of one item; the best one counts. */
const inOrder = (hits: readonly ExplainedHit[]): string[] => [...new Set(hits.map(idOf))];

/** The order of one leg, as far as the fused answer shows it. */
const byLeg =
  (leg: string) =>
  (hits: readonly ExplainedHit[]): string[] =>
    hits
      .flatMap((hit) => {
        const rank = hit.explain?.legs.find((one) => one.leg === leg)?.rank ?? null;
        return rank === null ? [] : [{ id: idOf(hit), rank }];
      })
      .sort((a, b) => a.rank - b.rank)
      .map(({ id }) => id);

const knowledgeBase = (name: string, mode: string): Ranking => ({
  name,
  tool: 'search_knowledge_base',
  args: { mode, limit: KB_LIMIT },
  rank: inOrder,
});

const knowledge = (name: string, rank: Ranking['rank']): Ranking => ({
  name,
  tool: 'search_knowledge',
  args: { limit: KNOWLEDGE_LIMIT, explain: true },
  rank,
});

const RANKINGS: readonly Ranking[] = [
  knowledgeBase('vector leg', 'semantic'),
  knowledgeBase('BM25 leg', 'keyword'),
  knowledgeBase('weighted 0.7/0.3', 'hybrid'),
  knowledge('fulltext leg', byLeg('fulltext')),
  knowledge('title leg', byLeg('title')),
  knowledge('RRF of three legs', inOrder),
];

/** Stores every document through REST; returns the document of each item. */
const fill = async (product: Product, { documents }: JudgedSet): Promise<ReadonlyMap<string, string>> => {
  const documentOf = new Map<string, string>();
  const store = async (i: number): Promise<void> => {
    const document = documents[i]!;
    documentOf.set(await product.storeItem(fittedDocument(document)), document.id);
  };
  await runLoad({ concurrency: CONCURRENCY, count: documents.length, work: store });
  return documentOf;
};

const measure = async (
  product: Product,
  { queries }: JudgedSet,
  documentOf: ReadonlyMap<string, string>,
  { tool, args, rank }: Ranking,
): Promise<{ ndcg: number; recall: number }> => {
  const client = new McpClient(product.run.mcpUrl, CONCURRENCY);
  let [ndcg, recall] = [0, 0];
  const ask = async (i: number): Promise<void> => {
    const { text, judgements } = queries[i]!;
    const request = toolCall('stateless', tool, { query: fittedQuery(text), ...args }, product.process.token);
    const { result } = await client.call(request);
    const { hits, degraded } = result['structuredContent'] as { hits: ExplainedHit[]; degraded: boolean };
    if (degraded) throw new Error(`${tool} answered without one of its legs`);
    const ranked = rank(hits).map((item) => documentOf.get(item)!);
    ndcg += ndcgAt(DEPTH, ranked, judgements);
    recall += recallAt(DEPTH, ranked, judgements);
  };
  try {
    await runLoad({ concurrency: CONCURRENCY, count: queries.length, work: ask });
  } finally {
    client.close();
  }
  return { ndcg: ndcg / queries.length, recall: recall / queries.length };
};

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

/** The same model over title and text of each document, without chunks, index or limits of the product. */
const measureOffline = async ({ documents, queries }: JudgedSet): Promise<{ ndcg: number; recall: number }> => {
  const encoder = await RawEncoder.open(2);
  try {
    const vectors = await Promise.all(
      documents.map(({ title, text }) => encoder.vectorOf([title, text].filter(Boolean).join('\n'), 'passage')),
    );
    let [ndcg, recall] = [0, 0];
    for (const { text, judgements } of queries) {
      const query = await encoder.vectorOf(fittedQuery(text), 'query');
      const ranked = documents
        .map(({ id }, i) => ({ id, score: dot(query, vectors[i]!) }))
        .sort((a, b) => b.score - a.score)
        .map(({ id }) => id);
      ndcg += ndcgAt(DEPTH, ranked, judgements);
      recall += recallAt(DEPTH, ranked, judgements);
    }
    return { ndcg: ndcg / queries.length, recall: recall / queries.length };
  } finally {
    await encoder.close();
  }
};

/** How far the vector leg may be below the same model alone. */
const OFFLINE_MARGIN = 0.01;

const offlineLine = (set: JudgedSet, vector: number, { ndcg }: { ndcg: number }): Line => ({
  id: `quality.${set.name}.offline`,
  what: `${set.name}, vector leg beside the model alone`,
  product: `nDCG@10 ${vector.toFixed(3)}`,
  floor: `title and text without Cairn ${ndcg.toFixed(3)}`,
  ratio: { value: vector - ndcg, text: (vector - ndcg).toFixed(3) },
  aim: { text: `>= -${OFFLINE_MARGIN}`, isMet: vector - ndcg >= -OFFLINE_MARGIN },
  figures: { vector, offline: ndcg },
});

const lineOf = (set: JudgedSet, name: string, { ndcg, recall }: { ndcg: number; recall: number }): Line => ({
  id: `quality.${set.name}.${name}`,
  what: `${set.name}, ${name}`,
  product: `nDCG@10 ${ndcg.toFixed(3)}, recall@10 ${recall.toFixed(3)}`,
  floor: `${set.documents.length} documents, ${set.queries.length} queries`,
  ratio: { value: ndcg, text: ndcg.toFixed(3) },
  figures: { ndcg, recall, documents: set.documents.length, queries: set.queries.length },
});

/** Every set gets a separate product, because documents of another set would be wrong answers. */
const measureSet = async (laboratory: Laboratory, set: JudgedSet): Promise<Line[]> => {
  const product = await Product.start(mkdtempSync(join(laboratory.workDir, `quality-${set.name}-`)));
  try {
    const documentOf = await fill(product, set);
    laboratory.log(`${set.name}: ${documentOf.size} documents stored, embedding them`);
    await product.untilEmbedded();
    const lines: Line[] = [];
    for (const ranking of RANKINGS) {
      lines.push(lineOf(set, ranking.name, await measure(product, set, documentOf, ranking)));
    }
    const [vectorLeg] = lines;
    return [...lines, offlineLine(set, vectorLeg!.figures['ndcg'] as number, await measureOffline(set))];
  } finally {
    await product.stop();
  }
};

export const qualityBenchmark: Benchmark = {
  name: 'quality',
  about: 'nDCG@10 and recall@10 per leg and fusion over judged sets (--dataset <folder>, BEIR layout)',
  run: async (laboratory) => {
    await laboratory.stopProduct();
    const sets = laboratory.datasets.length === 0 ? [readJudgedSet(OWN_JUDGED_SET)] : laboratory.datasets;
    const lines: Line[] = [];
    for (const set of sets) lines.push(...(await measureSet(laboratory, set)));
    return lines;
  },
};
