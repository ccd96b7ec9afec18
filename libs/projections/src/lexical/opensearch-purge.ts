import { setTimeout as delay } from 'node:timers/promises';
import { fail } from '@cairn/contracts';
import type { OpenSearchClient } from '@cairn/persistence';
import { CHUNKS_INDICES } from './opensearch-index.js';
import { OLD_TOMBSTONES } from './opensearch-tombstone.js';

interface ShardStats {
  readonly seq_no: { readonly max_seq_no: number };
  readonly retention_leases: { readonly leases: readonly { readonly retaining_seq_no: number }[] };
}

/** The copies of each shard, by index and number. */
const shardsOf = async (client: OpenSearchClient): Promise<Map<string, ShardStats[]>> => {
  const { body } = await client.indices.stats({ index: CHUNKS_INDICES, level: 'shards' });
  const indices = Object.entries(body.indices ?? {}) as unknown as [string, { shards: Record<string, ShardStats[]> }][];
  return new Map(
    indices.flatMap(([index, { shards }]) => Object.entries(shards).map(([n, copies]) => [`${index}/${n}`, copies])),
  );
};

/** A merge keeps documents that a copy of a shard may still request; OpenSearch renews these leases every half minute. */
const LEASES_WAIT_MS = 120_000;
const LEASES_POLL_MS = 1_000;

const untilLeasesAdvance = async (client: OpenSearchClient, signal: AbortSignal): Promise<void> => {
  const newest = new Map(
    [...(await shardsOf(client))].map(([shard, copies]) => [
      shard,
      Math.max(...copies.map(({ seq_no: seqNo }) => seqNo.max_seq_no)),
    ]),
  );
  const isRetained = ([shard, copies]: [string, ShardStats[]]): boolean =>
    copies.some(({ retention_leases: { leases } }) =>
      leases.some((lease) => lease.retaining_seq_no <= (newest.get(shard) ?? -1)),
    );
  for (let waited = 0; [...(await shardsOf(client))].some(isRetained); waited += LEASES_POLL_MS) {
    if (waited > LEASES_WAIT_MS)
      throw fail('lexical.unavailable', 'OpenSearch still keeps documents that were deleted');
    await delay(LEASES_POLL_MS, undefined, { signal });
  }
};

/** Rewrites segments without the documents that were replaced or deleted, and trims the translog. */
export const purgeOpenSearch = async (client: OpenSearchClient, signal: AbortSignal): Promise<void> => {
  const index = CHUNKS_INDICES;
  await client.deleteByQuery({ index, conflicts: 'proceed', body: { query: OLD_TOMBSTONES } });
  await client.indices.refresh({ index });
  await client.indices.flush({ index, force: true, wait_if_ongoing: true });
  await untilLeasesAdvance(client, signal);
  await client.indices.forcemerge({ index, only_expunge_deletes: true, flush: true });
  await client.indices.flush({ index, force: true, wait_if_ongoing: true });
  await client.indices.refresh({ index });
};
