import type { KnowledgeHit } from '@cairn/contracts';
import { byItem, type Candidate, type LegName } from './candidate.js';
import { rrfFusion, type FusedHit } from './fusion.js';
import { isClosed, type ChunkFilter, type SearchScope } from './scope.js';
import { candidatesFor, isAway, orAway, timed, type SearchContext } from './search-context.js';
import { loadWinners, type Winner } from './winners.js';

export interface ItemSearch {
  readonly query: string;
  readonly limit: number;
  readonly filter: ChunkFilter;
  readonly minScore: number;
  readonly efSearch: number;
  readonly explain: boolean;
  readonly scope: SearchScope;
}

export interface ItemSearchResult {
  readonly hits: readonly KnowledgeHit[];
  readonly degraded: boolean;
}

interface Leg {
  readonly leg: LegName;
  readonly candidates: readonly Candidate[];
}

const vectorLeg = async (context: SearchContext, search: ItemSearch): Promise<Candidate[]> => {
  const embedded = await timed(context, 'embed', () => context.embed(search.query));
  return timed(context, 'vector', () => context.legs.vector(embedded, search.efSearch, legRequest(search)));
};

const legRequest = ({ scope, filter, limit }: ItemSearch) => ({ scope, filter, limit: candidatesFor(limit) });

const runLegs = async (context: SearchContext, search: ItemSearch): Promise<Leg[]> => {
  const { legs } = context;
  const request = legRequest(search);
  const [vector, fulltext, title] = await Promise.all([
    orAway(vectorLeg(context, search)),
    timed(context, 'fulltext', () => legs.fulltext(search.query, request)),
    timed(context, 'title', () => legs.title(search.query, request)),
  ]);
  const words: Leg[] = [
    { leg: 'fulltext', candidates: fulltext },
    { leg: 'title', candidates: title },
  ];
  return isAway(vector) ? words : [{ leg: 'vector', candidates: vector }, ...words];
};

/** The chunk that stands for an item: its first one in the leg where the item ranks best. */
const chunkOf = (hit: FusedHit, legs: readonly Leg[]): string => {
  const ranks = hit.legs.filter(({ rank }) => rank !== null).sort((a, b) => a.rank! - b.rank!);
  const best = legs.find(({ leg }) => leg === ranks[0]?.leg);
  return best!.candidates.find(({ itemId }) => itemId === hit.id)!.chunkId;
};

/** `search_knowledge`: items by their best chunk, three legs, RRF. What is below `minScore` goes before the limit counts. */
export const searchItems = async (context: SearchContext, search: ItemSearch): Promise<ItemSearchResult> => {
  if (isClosed(search.scope)) return { hits: [], degraded: false };
  const legs = await runLegs(context, search);
  const ranked = rrfFusion
    .fuse(legs.map(({ leg, candidates }) => byItem(leg, candidates)))
    .filter(({ score }) => score >= search.minScore)
    .slice(0, search.limit);
  const hits = await timed(context, 'load', () => hitsOf(context, search, legs, ranked));
  return { hits, degraded: legs.length < 3 };
};

const hitsOf = async (
  { pool, vault }: SearchContext,
  { scope, explain }: ItemSearch,
  legs: readonly Leg[],
  ranked: readonly FusedHit[],
): Promise<KnowledgeHit[]> => {
  const chunkIds = ranked.map((hit) => chunkOf(hit, legs));
  const winners = await loadWinners(pool, vault, scope, chunkIds);
  return ranked.flatMap((hit, i) => {
    const winner = winners.get(chunkIds[i]!);
    return winner ? [knowledgeHit(hit, winner, explain)] : [];
  });
};

const knowledgeHit = ({ score, rawScore, legs }: FusedHit, winner: Winner, explain: boolean): KnowledgeHit => {
  const { itemId, folderId, text, meta, confidence, createdByAgentId, supersededById, expiresAt } = winner;
  const { title, tags } = meta;
  const provenance = { tags, confidence, createdByAgentId, supersededById, expiresAt };
  const hit = { itemId, folderId, title, text, score, rawScore, ...provenance };
  return explain ? { ...hit, explain: { fusion: rrfFusion.name, legs } } : hit;
};
