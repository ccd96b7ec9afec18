import { fail } from '@cairn/contracts';
import type { OpenSearchClient } from '@cairn/persistence';
import type { Forgetting } from '../erasure/forgettings.js';
import { CHUNKS_INDICES } from './opensearch-index.js';
import { isRefusedForNow, orUnavailable } from './opensearch-lexical-writer.js';
import { NOT_REMOVED, tombstoneLines } from './opensearch-tombstone.js';

/** Other forgettings wait for their keys to be destroyed, so the time-out for OpenSearch is short. */
const SOON = { requestTimeout: 5_000, maxRetries: 0 };
const BULK_DOCUMENTS_MAX = 500;

const queryOf = ({ itemId, chunkIds, sourceRemoved }: Forgetting) => {
  const ids = { ids: { values: [...chunkIds] } };
  const which = sourceRemoved ? { bool: { should: [ids, { term: { itemId } }] } } : ids;
  return { bool: { filter: [which, NOT_REMOVED] } };
};

/** Counts documents in every version of the index, whether or not it is the live one. */
export const documentsLeft = (client: OpenSearchClient, forgetting: Forgetting): Promise<number> =>
  orUnavailable(async () => {
    await client.indices.refresh({ index: CHUNKS_INDICES });
    const { body } = await client.count({ index: CHUNKS_INDICES, body: { query: queryOf(forgetting) } });
    return body.count;
  });

/** Chunks that have documents in any version of the index, at most one bulk at a time. */
const chunksFound = async (client: OpenSearchClient, forgetting: Forgetting): Promise<string[]> => {
  const query = { query: queryOf(forgetting), size: BULK_DOCUMENTS_MAX, _source: false };
  const { body } = await client.search({ index: CHUNKS_INDICES, body: query }, SOON);
  return [...new Set(body.hits.hits.map(({ _id }) => _id!))];
};

const bury = async (
  client: OpenSearchClient,
  index: string,
  chunkIds: readonly string[],
  position: number,
): Promise<void> => {
  for (let start = 0; start < chunkIds.length; start += BULK_DOCUMENTS_MAX) {
    const some = chunkIds.slice(start, start + BULK_DOCUMENTS_MAX);
    const lines = some.flatMap((chunkId) => tombstoneLines(chunkId, position, new Date()));
    const { body } = await client.bulk({ index, body: lines }, SOON);
    if (body.items.some((item) => isRefusedForNow(item.index)))
      throw fail('lexical.unavailable', 'OpenSearch is too busy to take more; try again');
  }
};

/**
 * The projector of the live version removes documents itself; this is for the versions that no projector follows now. It
 * writes a tombstone for every chunk, whether or not there is a document, because a rebuild may be about to write one. A
 * refresh makes the last writes visible to a query.
 */
export const removeDocuments = (client: OpenSearchClient, forgetting: Forgetting): Promise<void> =>
  orUnavailable(async () => {
    const indices = Object.keys((await client.indices.get({ index: CHUNKS_INDICES }, SOON)).body);
    const buried = new Set<string>();
    let chunkIds = forgetting.chunkIds;
    do {
      for (const index of indices) await bury(client, index, chunkIds, forgetting.position);
      await client.indices.refresh({ index: CHUNKS_INDICES }, SOON);
      for (const chunkId of chunkIds) buried.add(chunkId);
      // Documents of the item that the forgetting does not name belong to chunks that were forgotten before.
      chunkIds = await chunksFound(client, forgetting);
      if (chunkIds.some((chunkId) => buried.has(chunkId)))
        throw fail('lexical.unavailable', 'OpenSearch has a newer document of something that was forgotten');
    } while (chunkIds.length > 0);
  });
