import { readerOf } from '@cairn/access';
import {
  EMBED_QUERY_TIMEOUT_MS,
  type ChunkSearchAnswer,
  type KnowledgeSearchAnswer,
  type QueryData,
  type RecallAnswer,
  type SemanticAnswer,
  type SeriesAnswer,
} from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import type { ParsedRequest, Requester } from '@cairn/messaging';
import type { Metrics } from '@cairn/observability';
import {
  querySeries,
  recallChunks,
  searchChunks,
  searchItems,
  searchSemantic,
  type SearchContext,
} from '@cairn/retrieval';
import type { ModelInUse } from '../items/model-in-use.js';
import type { Freshness } from './freshness.js';
import type { QueryVectors } from './query-vectors.js';
import type { SearchTurns } from './search-turns.js';

export interface SearcherOptions {
  readonly context: Omit<SearchContext, 'embed' | 'inTurn' | 'onStage'>;
  readonly vectors: QueryVectors;
  readonly modelInUse: Pick<ModelInUse, 'id'>;
  readonly turns: SearchTurns;
  readonly requester: Requester;
  readonly metrics: Metrics;
  /** Freshness of the projection that BM25 reads, and of the one that everything else reads. */
  readonly lexicalFreshness: Freshness;
  readonly libraryFreshness: Freshness;
}

/** All searches. They are for MCP tools only: REST offers no search in chunks. */
export class Searcher {
  constructor(private readonly options: SearcherOptions) {}

  /** The position of the keyword index. */
  get freshness(): Freshness {
    return this.options.lexicalFreshness;
  }

  async chunks(request: ParsedRequest<QueryData<'chunks.search'>>): Promise<ChunkSearchAnswer> {
    const isFresh = await this.options.lexicalFreshness.reached(request.atLeast);
    const { query, mode, limit, explain } = request.data;
    const reader = readerOf(request.principal, 'mcp');
    const answer = await searchChunks(this.contextOf(request), { query, mode, limit, explain, reader });
    return this.answer(answer, isFresh);
  }

  async items(request: ParsedRequest<QueryData<'items.search'>>): Promise<KnowledgeSearchAnswer> {
    const isFresh = await this.options.libraryFreshness.reached(request.atLeast);
    const { query, limit, minScore, efSearch, explain, ...filter } = request.data;
    const reader = readerOf(request.principal, 'mcp');
    const search = { query, limit, minScore, efSearch, explain, reader, filter };
    return this.answer(await searchItems(this.contextOf(request), search), isFresh);
  }

  /** The answer has no field for `stale`; a chunk is found once its vector exists, which is not waited for anyway. */
  async recall(request: ParsedRequest<QueryData<'chunks.recall'>>): Promise<RecallAnswer> {
    await this.options.libraryFreshness.reached(request.atLeast);
    const { query, graphs, topK, minScore, explain } = request.data;
    const reader = readerOf(request.principal, 'mcp');
    return recallChunks(this.contextOf(request), { query, graphs, topK, minScore, explain, reader });
  }

  /** Uses vectors only, so a new text is found once its vector exists. */
  async semantic(request: ParsedRequest<QueryData<'chunks.semantic'>>): Promise<SemanticAnswer> {
    const isFresh = await this.options.libraryFreshness.reached(request.atLeast);
    const reader = readerOf(request.principal, 'mcp');
    const found = await searchSemantic(this.contextOf(request), { ...request.data, reader });
    return { ...found, stale: !isFresh };
  }

  /** The rows commit together with the library. */
  async series(request: ParsedRequest<QueryData<'series.query'>>): Promise<SeriesAnswer> {
    const isFresh = await this.options.libraryFreshness.reached(request.atLeast);
    const reader = readerOf(request.principal, 'mcp');
    const { pool, inTurn } = this.contextOf(request);
    return { ...(await querySeries({ pool, inTurn }, reader, request.data)), stale: !isFresh };
  }

  private answer<T extends { readonly degraded: boolean }>(found: T, isFresh: boolean): T & { stale: boolean } {
    if (found.degraded) this.options.metrics.searchDegraded.inc();
    return { ...found, stale: !isFresh };
  }

  /** A cached vector must not outlive the stored vectors of its model. The embedder is asked every few seconds at most. */
  private async followModel(): Promise<void> {
    const id = await this.options.modelInUse.id();
    if (id !== null) this.options.vectors.use(id);
  }

  /** The dependencies of one caller's search. */
  contextOf({ principal, correlationId }: ParsedRequest<unknown>): SearchContext {
    const { context, vectors, turns, requester, metrics } = this.options;
    const ask = (text: string) => () =>
      requester.query(
        'query.embed',
        { text },
        { principal, correlationId, id: uuidV7(), timeoutMs: EMBED_QUERY_TIMEOUT_MS },
      );
    return {
      ...context,
      inTurn: turns.of(principal),
      embed: async (query) => {
        await this.followModel();
        return vectors.get(query, ask(query));
      },
      onStage: (stage, seconds) => metrics.searchStageSeconds.observe({ stage }, seconds),
    };
  }
}
