import type { OpenSearchClient } from '@cairn/persistence';
import { CHUNKS_INDICES } from '../lexical/opensearch-index.js';
import { away } from '../lexical/opensearch-lexical.writer.js';
import type { Forgetting } from './erasure-stores.js';

/** Others wait for their keys to be destroyed, so an OpenSearch that does not answer is left soon. */
const SOON = { requestTimeout: 5_000, maxRetries: 0 };

const queryOf = ({ itemId, chunkIds, sourceRemoved }: Forgetting) => {
  const ids = { ids: { values: [...chunkIds] } };
  return sourceRemoved ? { bool: { should: [ids, { term: { itemId } }] } } : ids;
};

/** In every version of the index, whether or not it is the one that is read. */
export const documentsLeft = (client: OpenSearchClient, forgetting: Forgetting): Promise<number> =>
  away(async () => {
    await client.indices.refresh({ index: CHUNKS_INDICES });
    const { body } = await client.count({ index: CHUNKS_INDICES, body: { query: queryOf(forgetting) } });
    return body.count;
  });

/**
 * The projector of the live version deletes what it meets; this is for the versions that nobody follows now. What was
 * written last is invisible to a query until somebody refreshes.
 */
export const deleteDocuments = (client: OpenSearchClient, forgetting: Forgetting): Promise<void> =>
  away(async () => {
    await client.indices.refresh({ index: CHUNKS_INDICES }, SOON);
    const body = { query: queryOf(forgetting) };
    await client.deleteByQuery({ index: CHUNKS_INDICES, conflicts: 'proceed', refresh: true, body }, SOON);
  });
