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
import { loadWinners, openWinner, type Winner, type WinnerRow } from './winners.js';

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
  const run = context.hybrid ? statement : timed;
  return run(context, 'bm25', () => context.lexical.search(query, reader, candidatesFor(limit)));
};

/** What the legs returned, and the rows of winners that came with them. */
interface Found {
  readonly results: readonly LegResult[];
  readonly likely?: readonly WinnerRow[];
}

/** A mode with a single leg fails with it; hybrid mode answers with the other one. */
const runLegs = (context: SearchContext, search: ChunkSearch): Promise<Found> => {
  if (search.mode === 'semantic') return onlyLeg('vector', vectorLeg(context, search));
  if (search.mode === 'keyword') return onlyLeg('bm25', bm25Leg(context, search));
  return context.hybrid ? inOneStatement(context, context.hybrid, search) : sideBySide(context, search);
};

const onlyLeg = async (leg: LegName, candidates: Promise<Candidate[]>): Promise<Found> => ({
  results: [byChunk(leg, await candidates)],
});

const inOneStatement = async (
  context: SearchContext,
  hybrid: NonNullable<SearchContext['hybrid']>,
  search: ChunkSearch,
): Promise<Found> => {
  const { query: text, reader, limit: hits } = search;
  const candidates = candidatesFor(hits);
  const embedded = await orUnavailable(embed(context, text));
  if (isUnavailable(embedded)) return onlyLeg('bm25', bm25Leg(context, search));
  const proposal = await proposed(context, embedded, { reader, limit: candidates });
  return statement(context, 'hybrid', () => hybrid.search({ text, embedded, proposal }, reader, { candidates, hits }));
};

const sideBySide = async (context: SearchContext, search: ChunkSearch): Promise<Found> => {
  const [vector, bm25] = await Promise.all([
    orUnavailable(vectorLeg(context, search)),
    orUnavailable(bm25Leg(context, search)),
  ]);
  if (isUnavailable(vector) && isUnavailable(bm25))
    throw fail('projection.unavailable', 'search is unavailable; try again', {}, vector.unavailable);
  return { results: [...present('vector', vector), ...present('bm25', bm25)] };
};

const present = (leg: 'vector' | 'bm25', result: Candidate[] | Unavailable): LegResult[] =>
  isUnavailable(result) ? [] : [byChunk(leg, result)];

export const searchChunks = async (context: SearchContext, search: ChunkSearch): Promise<ChunkSearchResult> => {
  if (seesNothing(search.reader)) return { hits: [], degraded: false };
  const found = await runLegs(context, search);
  const hits = await hitsOf(context, search, found);
  return { hits, degraded: search.mode === 'hybrid' && found.results.length < 2 };
};

/**
 * The best hits that still exist. An index that lags may have returned others: then the next of the ranking are loaded,
 * twice as many each time, so that few queries reach the end of it.
 */
const hitsOf = async (context: SearchContext, search: ChunkSearch, found: Found): Promise<ChunkHit[]> => {
  const { limit, mode, explain } = search;
  const fusion = FUSIONS[mode];
  const hits: ChunkHit[] = [];
  for (let [from, to] = [0, limit]; ; [from, to] = [to, 2 * to]) {
    const ranked = fusion.fuse(found.results, to).slice(from);
    const winners = await winnersOf(context, search.reader, ranked, found.likely);
    for (const { id, score, legs } of ranked) {
      const winner = winners.get(id);
      if (winner) hits.push({ ...winner, score, ...(explain && { explain: { fusion: fusion.name, legs } }) });
    }
    if (hits.length >= limit || ranked.length < to - from) return hits.slice(0, limit);
  }
};

/** Decrypts the rows that came with the legs, and loads only the winners that did not. */
const winnersOf = async (
  context: SearchContext,
  reader: FolderReader,
  ranked: readonly FusedHit[],
  likely: readonly WinnerRow[] = [],
): Promise<ReadonlyMap<string, Winner>> => {
  const { pool, vault } = context;
  const wanted = new Set(ranked.map(({ id }) => id));
  const came = likely.filter(({ chunk_id: id }) => wanted.delete(id));
  const loaded =
    wanted.size === 0 ? [] : await statement(context, 'load', () => loadWinners(pool, vault, reader, [...wanted]));
  return new Map([
    ...came.map((row) => [row.chunk_id, openWinner(vault, reader.workspaceId, row)] as const),
    ...loaded,
  ]);
};
