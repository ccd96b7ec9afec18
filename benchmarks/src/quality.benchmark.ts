import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { ndcgAt, OWN_JUDGED_SET, readJudgedSet, recallAt, type JudgedSet, type Judgements } from '@cairn/testing';
import type { Benchmark, Line } from './benchmark.js';
import { fittedDocument, fittedQuery } from './fitted.js';
import type { Laboratory } from './laboratory.js';
import { runLoad } from './load.js';
import { McpClient } from './mcp-client.js';
import { toolCall } from './mcp-request.js';
import { OfflineSearch, type OfflineRanks } from './offline/offline-search.js';
import { Product } from './product.js';
import { sum } from './statistics.js';

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

interface Scores {
  readonly ndcg: number;
  readonly recall: number;
}

const meanOf = (scores: readonly Scores[]): Scores => ({
  ndcg: sum(scores.map(({ ndcg }) => ndcg)) / scores.length,
  recall: sum(scores.map(({ recall }) => recall)) / scores.length,
});

const scoresOf = (ranked: readonly string[], judgements: Judgements): Scores => ({
  ndcg: ndcgAt(DEPTH, ranked, judgements),
  recall: recallAt(DEPTH, ranked, judgements),
});

const measure = async (
  product: Product,
  { queries }: JudgedSet,
  documentOf: ReadonlyMap<string, string>,
  { tool, args, rank }: Ranking,
): Promise<Scores> => {
  const client = new McpClient(product.mcpUrl, CONCURRENCY);
  const scores: Scores[] = [];
  const ask = async (i: number): Promise<void> => {
    const { text, judgements } = queries[i]!;
    const request = toolCall('stateless', tool, { query: fittedQuery(text), ...args }, product.token);
    const { result } = await client.call(request);
    const { hits, degraded } = result['structuredContent'] as { hits: ExplainedHit[]; degraded: boolean };
    if (degraded) throw new Error(`${tool} answered without one of its legs`);
    const ranked = rank(hits).map((item) => documentOf.get(item)!);
    scores.push(scoresOf(ranked, judgements));
  };
  try {
    await runLoad({ concurrency: CONCURRENCY, count: queries.length, work: ask });
  } finally {
    client.close();
  }
  return meanOf(scores);
};

const measureOffline = async (set: JudgedSet): Promise<(kind: keyof OfflineRanks) => Scores> => {
  const offline = await OfflineSearch.open(set);
  const ranked: OfflineRanks[] = [];
  try {
    for (const { text } of set.queries) ranked.push(await offline.rank(text));
    return (kind) => meanOf(set.queries.map(({ judgements }, i) => scoresOf(ranked[i]![kind], judgements)));
  } finally {
    await offline.close();
  }
};

/** How far the product may be below the same model and formulas without it. */
const OFFLINE_MARGIN = 0.01;

/** The rankings of the product that can be made without it. */
const OFFLINE = {
  vector: { ranking: 'vector leg', id: 'offline', floor: 'model alone, over title and text' },
  bm25: { ranking: 'BM25 leg', id: 'offline-bm25', floor: 'formula alone, over title and text' },
  hybrid: { ranking: 'weighted 0.7/0.3', id: 'offline-hybrid', floor: 'both alone, fused' },
} as const;

const offlineLine = (set: JudgedSet, kind: keyof OfflineRanks, product: Scores, offline: Scores): Line => {
  const { ranking, id, floor } = OFFLINE[kind];
  const value = product.ndcg - offline.ndcg;
  return {
    id: `quality.${set.name}.${id}`,
    what: `${set.name}, ${ranking} beside offline`,
    product: `nDCG@10 ${product.ndcg.toFixed(3)}`,
    floor: `${floor} ${offline.ndcg.toFixed(3)}`,
    ratio: { value, text: value.toFixed(3) },
    aim: { text: `>= -${OFFLINE_MARGIN}`, isMet: value >= -OFFLINE_MARGIN },
    figures: { product, offline },
  };
};

const lineOf = (set: JudgedSet, name: string, { ndcg, recall }: Scores): Line => ({
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
    const measured = new Map<string, Scores>();
    for (const ranking of RANKINGS) measured.set(ranking.name, await measure(product, set, documentOf, ranking));
    laboratory.log(`${set.name}: ranking the same documents offline`);
    const offline = await measureOffline(set);
    const kinds = Object.keys(OFFLINE) as (keyof OfflineRanks)[];
    return [
      ...[...measured].map(([name, scores]) => lineOf(set, name, scores)),
      ...kinds.map((kind) => offlineLine(set, kind, measured.get(OFFLINE[kind].ranking)!, offline(kind))),
    ];
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
