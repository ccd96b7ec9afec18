import { seesNothing, visibleDocuments, type FolderReader } from '@cairn/access';
import { fail, SEARCH_STATEMENT_MS_MAX } from '@cairn/contracts';
import { AppError } from '@cairn/kernel';
import type { OpenSearchClient } from '@cairn/persistence';
import { lexicalQuery, NOT_REMOVED } from '@cairn/projections';
import type { Candidate } from './candidate.js';
import type { IndexInUse } from './keyword-index-in-use.js';
import type { LexicalIndex } from './lexical-index.port.js';

/**
 * Resolves a scope to its current folders. The index does not hold tiers: those change without a document being
 * written.
 */
export type FolderResolver = (reader: FolderReader) => Promise<readonly string[]>;

/** The only place where a query to OpenSearch is built. Text from outside is only ever the value of a `match`. */
const searchBody = (words: string, reader: FolderReader, folderIds: readonly string[], limit: number) => ({
  size: limit,
  timeout: `${SEARCH_STATEMENT_MS_MAX}ms`,
  track_total_hits: false,
  _source: ['itemId'],
  query: {
    bool: {
      must: [{ match: { body: { query: words } } }],
      filter: [NOT_REMOVED, ...visibleDocuments(reader, folderIds)],
    },
  },
});

type SearchBody = ReturnType<typeof searchBody>;

interface Hit {
  readonly _id: string;
  readonly _score: number;
  readonly _source: { readonly itemId: string };
}

const isUnknownIndex = (thrown: unknown): boolean => (thrown as { readonly statusCode?: number }).statusCode === 404;

/** BM25 by OpenSearch, for the cluster profile. */
export class OpenSearchLexicalIndex implements LexicalIndex {
  constructor(
    private readonly client: OpenSearchClient,
    private readonly index: IndexInUse,
    private readonly foldersOf: FolderResolver,
  ) {}

  async search(query: string, reader: FolderReader, limit: number): Promise<Candidate[]> {
    const words = lexicalQuery(query);
    if (seesNothing(reader) || words === '') return [];
    const folderIds = await this.foldersOf(reader);
    if (folderIds.length === 0) return [];
    const hits = await this.hits(searchBody(words, reader, folderIds, limit));
    return hits.map(({ _id, _score, _source }) => ({ chunkId: _id, itemId: _source.itemId, score: _score }));
  }

  private async hits(body: SearchBody): Promise<readonly Hit[]> {
    try {
      const name = await this.index.name();
      return await this.hitsIn(name, body).catch((thrown: unknown) => this.hitsInNext(name, body, thrown));
    } catch (thrown) {
      if (thrown instanceof AppError) throw thrown;
      throw fail('lexical.unavailable', 'the keyword index is unavailable; try again', {}, thrown);
    }
  }

  /** An index that is unknown may have been replaced by a rebuilt one since its name was read. */
  private async hitsInNext(before: string, body: SearchBody, thrown: unknown): Promise<readonly Hit[]> {
    if (!isUnknownIndex(thrown)) throw thrown;
    const name = await this.index.renewed();
    if (name === before) throw thrown;
    return this.hitsIn(name, body);
  }

  private async hitsIn(index: string, body: SearchBody): Promise<readonly Hit[]> {
    const params = { index, allow_partial_search_results: false, body };
    const answer = await this.client.search(params, { requestTimeout: SEARCH_STATEMENT_MS_MAX, maxRetries: 0 });
    return answer.body.hits.hits as unknown as Hit[];
  }
}
