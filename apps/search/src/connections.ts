import { setTimeout as delay } from 'node:timers/promises';
import { QUERY_TIMEOUT_MS, SEARCH_CONNECTIONS, SEARCH_STATEMENT_MS_MAX } from '@cairn/contracts';
import {
  assertReader,
  assertWelcome,
  connectOpenSearch,
  Database,
  type OpenSearchAccess,
  type OpenSearchClient,
} from '@cairn/persistence';
import { LIBRARY_ENTITIES, missingColumns, READ_MODEL_SCHEMAS } from '@cairn/projections';
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

const openOpenSearch = async (access: OpenSearchAccess): Promise<OpenSearchClient> => {
  const client = connectOpenSearch(access);
  await assertWelcome(client, access);
  return client;
};

const LOOK_MS = 250;

/**
 * During an upgrade, the live tables may belong to an older build and lack columns of this one. Until an ingest of this
 * build has replaced them, searches of the older build answer (ADR 0125).
 */
const untilReadable = async ({ pool }: Database, usesOpenSearch: boolean): Promise<void> => {
  while ((await missingColumns(pool, { usesOpenSearch })).length > 0) await delay(LOOK_MS);
};

export const openConnections = async ({
  database,
  hasOwnRole = false,
  searchConnections: poolSize = SEARCH_CONNECTIONS,
  openSearch,
}: Pick<SearchConfig, 'database' | 'hasOwnRole' | 'searchConnections' | 'openSearch'>): Promise<Connections> => {
  const to = { ...database, applicationName: 'cairn-search' };
  const reads = await Database.connect({ ...to, entities: LIBRARY_ENTITIES, statementMsMax: QUERY_TIMEOUT_MS });
  if (hasOwnRole) await assertReader(reads.pool, READ_MODEL_SCHEMAS);
  await untilReadable(reads, openSearch !== undefined);
  const searches = await Database.connect({ ...to, poolSize, statementMsMax: SEARCH_STATEMENT_MS_MAX });
  return { reads, searches, openSearch: openSearch && (await openOpenSearch(openSearch)) };
};

export const closeConnections = async ({ openSearch, searches, reads }: Connections): Promise<void> => {
  await openSearch?.close();
  await searches.close();
  await reads.close();
};
