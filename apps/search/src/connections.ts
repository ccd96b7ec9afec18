import { QUERY_TIMEOUT_MS, SEARCH_CONNECTIONS, SEARCH_STATEMENT_MS_MAX } from '@cairn/contracts';
import { connectOpenSearch, Database, type OpenSearchClient } from '@cairn/persistence';
import { LIBRARY_ENTITIES } from '@cairn/projections';
import type { SearchConfig } from './config.js';

export interface Connections {
  /** For searches, whose statements have a short limit. */
  readonly searches: Database;
  /**
   * For all other reads, which never wait for a search. Their limit is the longest time that a caller waits for an
   * answer.
   */
  readonly reads: Database;
  /** Without it, Postgres does BM25. */
  readonly openSearch?: OpenSearchClient | undefined;
}

export const openConnections = async ({
  databaseUrl: url,
  searchConnections: poolSize = SEARCH_CONNECTIONS,
  openSearchUrl,
}: Pick<SearchConfig, 'databaseUrl' | 'searchConnections' | 'openSearchUrl'>): Promise<Connections> => {
  const to = { url, applicationName: 'cairn-search' };
  const reads = await Database.connect({ ...to, entities: LIBRARY_ENTITIES, statementMsMax: QUERY_TIMEOUT_MS });
  const searches = await Database.connect({ ...to, poolSize, statementMsMax: SEARCH_STATEMENT_MS_MAX });
  return { reads, searches, openSearch: openSearchUrl === undefined ? undefined : connectOpenSearch(openSearchUrl) };
};

export const closeConnections = async ({ openSearch, searches, reads }: Connections): Promise<void> => {
  await openSearch?.close();
  await searches.close();
  await reads.close();
};
