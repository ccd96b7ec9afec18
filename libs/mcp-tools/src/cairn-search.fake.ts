import { readerOf } from '@cairn/access';
import type { Explanation, QueryAnswer, QueryData, StoredChunk } from '@cairn/contracts';
import type { ItemState } from '@cairn/domain';
import type { QueryContext } from './cairn-answer.fake.js';
import { titleOf } from './cairn-queries.fake.js';
import { openMeta } from './cairn-seal.fake.js';

/** The score of a hit at the top of one leg in reciprocal rank fusion. */
const RRF_TOP = 1 / 61;

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));

/** The share of the query's words that occur in the text: naive and deterministic, good enough to order hits. */
const scoreOf = (text: string, query: string): number => {
  const wanted = [...wordsOf(query)];
  const present = wordsOf(text);
  return wanted.length === 0 ? 0 : wanted.filter((word) => present.has(word)).length / wanted.length;
};

const explained = (score: number, isAsked: boolean): { readonly explain?: Explanation } => {
  const leg = { leg: 'fulltext', rank: 1, rawScore: score, normalizedScore: score, weight: 1, contribution: score };
  return isAsked ? { explain: { fusion: 'in-memory', legs: [leg as Explanation['legs'][number]] } } : {};
};

interface Found {
  readonly item: ItemState;
  readonly chunk: StoredChunk;
  readonly score: number;
}

interface Shown {
  readonly superseded?: boolean;
  readonly expired?: boolean;
}

/** The chunks that share a word with the query, best first. A chunk is also found by its item's title. */
export const found = (
  context: QueryContext,
  query: string,
  { superseded = false, expired = false }: Shown = {},
): Found[] =>
  context.workspace
    .visibleItems(readerOf(context.principal, 'mcp'))
    .filter(({ inKb }) => inKb)
    .filter(({ supersededById }) => superseded || supersededById === null)
    .filter(({ expiresAt }) => expired || expiresAt === null || Date.parse(expiresAt) > context.nowMs)
    .flatMap((item) => (item.chunks ?? []).map((chunk) => ({ item, chunk })))
    .map(({ item, chunk }) => ({ item, chunk, score: scoreOf(`${titleOf(item)} ${chunk.text}`, query) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);

export const searchChunks = (
  context: QueryContext,
  { query, limit, explain }: QueryData<'chunks.search'>,
): QueryAnswer<'chunks.search'> => {
  const hits = found(context, query)
    .slice(0, limit)
    .map(({ item, chunk, score }) => ({
      chunkId: chunk.chunkId,
      itemId: item.id,
      folderId: item.folderId,
      title: titleOf(item),
      text: chunk.text,
      score,
      ...explained(score, explain),
    }));
  return { hits, degraded: false, stale: false };
};

export const searchItems = (context: QueryContext, data: QueryData<'items.search'>): QueryAnswer<'items.search'> => {
  const { workspace } = context;
  const best = new Map<string, Found>();
  const shown = { superseded: data.includeSuperseded, expired: data.includeExpired };
  for (const hit of found(context, data.query, shown)) if (!best.has(hit.item.id)) best.set(hit.item.id, hit);
  const hits = [...best.values()]
    .filter(({ score }) => score >= data.minScore)
    .filter(({ item }) => data.tags.every((tag) => openMeta(item.meta).tags.includes(tag)))
    .slice(0, data.limit)
    .map(({ item, score }) => ({
      itemId: item.id,
      folderId: item.folderId,
      title: titleOf(item),
      text: (item.chunks ?? []).map(({ text }) => text).join(''),
      hasWords: score === 1,
      score,
      rawScore: score * RRF_TOP,
      tags: openMeta(item.meta).tags,
      confidence: workspace.items.get(item.id)!.confidence,
      createdByAgentId: item.createdByAgentId,
      supersededById: workspace.visibleHead(readerOf(context.principal, 'mcp'), item.id),
      expiresAt: item.expiresAt,
      ...explained(score, data.explain),
    }));
  return { hits, degraded: false, stale: false };
};

export const recall = (context: QueryContext, data: QueryData<'chunks.recall'>): QueryAnswer<'chunks.recall'> => {
  const { workspace } = context;
  const available = workspace.visibleFolders(readerOf(context.principal, 'mcp'));
  const named = (name: string) => available.find((folder) => [folder.slug, folder.name].includes(name));
  const asked = data.graphs?.map((name) => named(name)?.id);
  const results = found(context, data.query)
    .filter(({ item, score }) => score >= data.minScore && (asked?.includes(item.folderId) ?? true))
    .slice(0, data.topK)
    .map(({ item, chunk, score }) => ({
      chunkId: chunk.chunkId,
      itemId: item.id,
      folderId: item.folderId,
      graph: workspace.folders.get(item.folderId)!.slug,
      text: chunk.text,
      score,
      sourceName: openMeta(item.meta).sourceName ?? titleOf(item),
      updatedAt: workspace.items.get(item.id)!.updatedAt,
      tokens: chunk.tokens,
      ...explained(score, data.explain),
    }));
  const names = (data.graphs ?? []).filter((name) => !named(name));
  if (names.length === 0) return { results, truncated: false };
  const folders = available.map(({ id, slug }) => ({ folderId: id, slug }));
  return { results, truncated: false, unknownGraphs: { names, available: folders } };
};
