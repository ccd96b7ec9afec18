import { type FolderReader, seesNothing } from '@cairn/access';
import { fail, type ChunkHit, type SearchMode } from '@cairn/contracts';
import { byChunk, type Candidate, type LegName, type LegResult } from './candidate.js';
import { cosineOnly, keywordOnly, weightedFusion, type FusedHit, type Fusion } from './fusion.js';
import { CHUNK_EF_SEARCH, type EmbeddedQuery } from './query-vector.js';
import {
  candidatesFor,
  isUnavailable,
  nearest,
  orUnavailable,
  proposed,
  statement,
  timed,
  type Unavailable,
  type SearchContext,
} from './search-context.js';
import { loadWinners } from './winners.js';

export interface ChunkSearch {
  readonly query: string;
  readonly mode: SearchMode;
  readonly limit: number;
  readonly explain: boolean;
  readonly reader: FolderReader;
}

export interface ChunkSearchResult {
  readonly hits: readonly ChunkHit[];
  /** Whether a leg of the requested mode was unavailable and is missing from the answer. */
  readonly degraded: boolean;
}

const FUSIONS: Readonly<Record<SearchMode, Fusion>> = {
  semantic: cosineOnly,
  keyword: keywordOnly,
  hybrid: weightedFusion,
};

const embed = (context: SearchContext, query: string): Promise<EmbeddedQuery> =>
  timed(context, 'embed', () => context.embed(query));

const vectorLeg = async (context: SearchContext, { query, reader, limit }: ChunkSearch): Promise<Candidate[]> => {
  const embedded = await embed(context, query);
  return nearest(context, embedded, CHUNK_EF_SEARCH, { reader, limit: candidatesFor(limit) });
};

/** An index outside the database takes no database turn. */
const bm25Leg = (context: SearchContext, { query, reader, limit }: ChunkSearch): Promise<Candidate[]> => {
  const run = context.hybridLegs ? statement : timed;
  return run(context, 'bm25', () => context.lexical.search(query, reader, candidatesFor(limit)));
};

/** A mode with a single leg fails with it; hybrid mode answers with the other one. */
const runLegs = (context: SearchContext, search: ChunkSearch): Promise<LegResult[]> => {
  if (search.mode === 'semantic') return onlyLeg('vector', vectorLeg(context, search));
  if (search.mode === 'keyword') return onlyLeg('bm25', bm25Leg(context, search));
  return context.hybridLegs ? bothAtOnce(context, context.hybridLegs, search) : sideBySide(context, search);
};

const onlyLeg = async (leg: LegName, candidates: Promise<Candidate[]>): Promise<LegResult[]> => [
  byChunk(leg, await candidates),
];

const bothAtOnce = async (
  context: SearchContext,
  legs: NonNullable<SearchContext['hybridLegs']>,
  search: ChunkSearch,
): Promise<LegResult[]> => {
  const { query: text, reader } = search;
  const limit = candidatesFor(search.limit);
  const embedded = await orUnavailable(embed(context, text));
  if (isUnavailable(embedded)) return onlyLeg('bm25', bm25Leg(context, search));
  const proposal = await proposed(context, embedded, { reader, limit });
  return statement(context, 'hybrid', () => legs.search({ text, embedded, proposal }, reader, limit));
};

const sideBySide = async (context: SearchContext, search: ChunkSearch): Promise<LegResult[]> => {
  const [vector, bm25] = await Promise.all([
    orUnavailable(vectorLeg(context, search)),
    orUnavailable(bm25Leg(context, search)),
  ]);
  if (isUnavailable(vector) && isUnavailable(bm25))
    throw fail('projection.unavailable', 'search is unavailable; try again', {}, vector.unavailable);
  return [...present('vector', vector), ...present('bm25', bm25)];
};

const present = (leg: 'vector' | 'bm25', result: Candidate[] | Unavailable): LegResult[] =>
  isUnavailable(result) ? [] : [byChunk(leg, result)];

export const searchChunks = async (context: SearchContext, search: ChunkSearch): Promise<ChunkSearchResult> => {
  if (seesNothing(search.reader)) return { hits: [], degraded: false };
  const results = await runLegs(context, search);
  const hits = await statement(context, 'load', () => hitsOf(context, search, results));
  return { hits, degraded: search.mode === 'hybrid' && results.length < 2 };
};

/**
 * The best hits that still exist. An index that lags may have returned others: then the next of the ranking are loaded,
 * twice as many each time, so that few queries reach the end of it.
 */
const hitsOf = async (
  context: SearchContext,
  search: ChunkSearch,
  results: readonly LegResult[],
): Promise<ChunkHit[]> => {
  const { limit, mode } = search;
  const hits: ChunkHit[] = [];
  for (let [from, to] = [0, limit]; ; [from, to] = [to, 2 * to]) {
    const ranked = FUSIONS[mode].fuse(results, to).slice(from);
    hits.push(...(await loaded(context, search, ranked)));
    if (hits.length >= limit || ranked.length < to - from) return hits.slice(0, limit);
  }
};

const loaded = async (
  { pool, vault }: SearchContext,
  { reader, mode, explain }: ChunkSearch,
  ranked: readonly FusedHit[],
): Promise<ChunkHit[]> => {
  const chunkIds = ranked.map(({ id }) => id);
  const winners = await loadWinners(pool, vault, reader, chunkIds);
  return ranked.flatMap(({ id, score, legs }) => {
    const winner = winners.get(id);
    if (!winner) return [];
    const hit = { ...winner, score };
    return [explain ? { ...hit, explain: { fusion: FUSIONS[mode].name, legs } } : hit];
  });
};
