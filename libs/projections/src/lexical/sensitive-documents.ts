import type { OpenSearchClient } from '@cairn/persistence';
import type { Pool } from 'pg';
import { readSlot } from '../slots.js';
import { CHUNKS_ALIAS } from './opensearch-index.js';
import { orUnavailable, type OpenSearchLexicalWriter } from './opensearch-lexical-writer.js';
import { purgeOpenSearch } from './opensearch-purge.js';
import { NOT_REMOVED } from './opensearch-tombstone.js';

export interface SensitiveDocumentsOptions {
  readonly client: OpenSearchClient;
  readonly pool: Pool;
  readonly writer: OpenSearchLexicalWriter;
}

interface FolderCount {
  readonly key: string;
  readonly doc_count: number;
}

const FOLDERS_AT_ONCE_MAX = 1_000;
const SENSITIVE = `select id from library.folders where tier = 'sensitive' order by id`;

const documentsIn = async (client: OpenSearchClient, folderIds: readonly string[]): Promise<readonly FolderCount[]> => {
  const query = { bool: { filter: [NOT_REMOVED, { terms: { folderId: [...folderIds] } }] } };
  const aggs = { folders: { terms: { field: 'folderId', size: folderIds.length } } };
  const { body } = await orUnavailable(() => client.search({ index: CHUNKS_ALIAS, body: { size: 0, query, aggs } }));
  return (body.aggregations?.['folders'] as unknown as { readonly buckets: readonly FolderCount[] }).buckets;
};

/**
 * Removes the documents of sensitive folders that an earlier build put into the live index (ADR 0050), and returns their
 * number. Each folder is written as if its tier had changed at the checkpoint: later ops are newer. The index counts
 * replaced documents until its segments are rewritten, so that is done too.
 */
export const removeSensitiveDocuments = async (
  { client, pool, writer }: SensitiveDocumentsOptions,
  signal: AbortSignal,
): Promise<number> => {
  const position = (await readSlot(pool, 'lexical'))?.checkpoint.position ?? 0;
  const folderIds = (await pool.query<{ id: string }>(SENSITIVE)).rows.map(({ id }) => id);
  let removed = 0;
  for (let start = 0; start < folderIds.length; start += FOLDERS_AT_ONCE_MAX) {
    const found = await documentsIn(client, folderIds.slice(start, start + FOLDERS_AT_ONCE_MAX));
    for (const { key: folderId, doc_count: documents } of found) {
      await writer.write(CHUNKS_ALIAS, [{ kind: 'tier', position, folderId, sensitive: true }]);
      removed += documents;
    }
  }
  if (removed > 0) await purgeOpenSearch(client, signal);
  return removed;
};
