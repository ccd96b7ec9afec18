import { type FolderReader, seesNothing } from '@cairn/access';
import type { KnowledgeHit } from '@cairn/contracts';
import { byItem, type Candidate, type LegResult } from './candidate.js';
import { loadEntries, type Entry } from './entries.js';
import { rrfFusion, type FusedHit } from './fusion.js';
import type { ChunkFilter } from './chunk-filter.js';
import {
  candidatesFor,
  isUnavailable,
  nearest,
  orUnavailable,
  statement,
  timed,
  type SearchContext,
} from './search-context.js';

export interface ItemSearch {
  readonly query: string;
  readonly limit: number;
  readonly filter: ChunkFilter;
  readonly minScore: number;
  readonly efSearch: number;
  readonly explain: boolean;
  readonly reader: FolderReader;
}

export interface ItemSearchResult {
  readonly hits: readonly KnowledgeHit[];
  readonly degraded: boolean;
}

/** How much further the vector leg looks, and how often, when a few long items hold all the chunks that it found. */
const WIDEN_FACTOR = 4;
const WIDENINGS_MAX = 2;

/** This leg finds chunks: more of them are requested while they belong to fewer items than needed. */
const vectorLeg = async (context: SearchContext, search: ItemSearch): Promise<Candidate[]> => {
  const embedded = await timed(context, 'embed', () => context.embed(search.query));
  const request = legRequest(search);
  for (let widened = 0, limit = request.limit; ; widened++, limit *= WIDEN_FACTOR) {
    const found = await nearest(context, embedded, search.efSearch, { ...request, limit });
    const items = new Set(found.map(({ itemId }) => itemId)).size;
    if (items >= search.limit || found.length < limit || widened === WIDENINGS_MAX) return found;
  }
};

const legRequest = ({ reader, filter, limit }: ItemSearch) => ({ reader, filter, limit: candidatesFor(limit) });

const runLegs = async (context: SearchContext, search: ItemSearch): Promise<LegResult[]> => {
  const [vector, words] = await Promise.all([
    orUnavailable(vectorLeg(context, search)),
    statement(context, 'words', () => context.legs.words(search.query, legRequest(search))),
  ]);
  return isUnavailable(vector) ? words : [byItem('vector', vector), ...words];
};

/** Whether the words were found in the text or the title: every query is near in meaning to something. */
const hasWords = ({ legs }: FusedHit): boolean => legs.some(({ leg, rank }) => leg !== 'vector' && rank !== null);

/**
 * `search_knowledge`: items by their best chunk, three legs, RRF. Items below `minScore` are dropped before the limit
 * applies.
 */
export const searchItems = async (context: SearchContext, search: ItemSearch): Promise<ItemSearchResult> => {
  if (seesNothing(search.reader)) return { hits: [], degraded: false };
  const legs = await runLegs(context, search);
  const ranked = rrfFusion
    .fuse(legs)
    .filter(({ score }) => score >= search.minScore)
    .slice(0, search.limit);
  const hits = await statement(context, 'load', () => hitsOf(context, search, ranked));
  return { hits, degraded: legs.length < 3 };
};

const hitsOf = async (
  { pool, vault }: SearchContext,
  { query, reader, explain }: ItemSearch,
  ranked: readonly FusedHit[],
): Promise<KnowledgeHit[]> => {
  const wanted = ranked.map((hit) => ({ itemId: hit.id, hasWords: hasWords(hit) }));
  const entries = await loadEntries(pool, vault, reader, query, wanted);
  return ranked.flatMap((hit) => {
    const entry = entries.get(hit.id);
    return entry ? [knowledgeHit(hit, entry, explain)] : [];
  });
};

const knowledgeHit = (fused: FusedHit, entry: Entry, explain: boolean): KnowledgeHit => {
  const { score, rawScore, legs } = fused;
  const hit = { ...entry, hasWords: hasWords(fused), score, rawScore };
  return explain ? { ...hit, explain: { fusion: rrfFusion.name, legs } } : hit;
};
