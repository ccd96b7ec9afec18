import type { OpenSearchClient } from '@cairn/persistence';
import { CHUNKS_INDICES } from '../lexical/opensearch-index.js';
import type { Forgetting } from './erasure-stores.js';

const queryOf = ({ itemId, chunkIds, sourceRemoved }: Forgetting) => {
  const ids = { ids: { values: [...chunkIds] } };
  return sourceRemoved ? { bool: { should: [ids, { term: { itemId } }] } } : ids;
};

/** In every version of the index, whether or not it is the one that is read. */
export const documentsLeft = async (client: OpenSearchClient, forgetting: Forgetting): Promise<number> => {
  await client.indices.refresh({ index: CHUNKS_INDICES });
  const { body } = await client.count({ index: CHUNKS_INDICES, body: { query: queryOf(forgetting) } });
  return body.count;
};

/**
 * The projector of the live version deletes what it meets; this is for the versions that nobody follows now. What was
 * written last stays invisible to a query until somebody refreshes.
 */
export const deleteDocuments = async (client: OpenSearchClient, forgetting: Forgetting): Promise<void> => {
  await client.indices.refresh({ index: CHUNKS_INDICES });
  await client.deleteByQuery({
    index: CHUNKS_INDICES,
    conflicts: 'proceed',
    refresh: true,
    body: { query: queryOf(forgetting) },
  });
};
