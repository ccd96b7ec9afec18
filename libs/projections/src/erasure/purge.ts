import { setTimeout as delay } from 'node:timers/promises';
import { fail } from '@cairn/contracts';
import type { OpenSearchClient } from '@cairn/persistence';
import type { Pool } from 'pg';
import { CHUNKS_INDICES } from '../lexical/opensearch-index.js';
import { OLD_TOMBSTONES } from '../lexical/opensearch-tombstone.js';
import { rewriteVectors } from './rewrite-vectors.js';
import { slotsBeside, standingSlots } from './standing-slots.js';

/**
 * Tables whose dead rows hold what can still be read: words, texts, vectors, and wrapped keys beside their ciphertext.
 * The archive is not among them: what is dead there is ciphertext whose key is gone.
 */
const tablesOf = async (pool: Pool): Promise<string[]> => {
  const named = (slots: readonly string[], ...tables: string[]): string[] =>
    slots.flatMap((slot) => tables.map((table) => `${slot}.${table}`));
  return [
    ...named(await standingSlots(pool, 'library'), 'chunks', 'bodies', 'items', 'confirmations'),
    ...named(await standingSlots(pool, 'lexical'), 'documents'),
    // Of the live ones that is `rewriteVectors`.
    ...named(await slotsBeside(pool, 'vectors'), 'embeddings'),
  ];
};

/** Whoever waits for a table gets its turn between two of them. */
const PAUSE_MS = 100;
/** The queue behind a lock that is not granted would keep everybody waiting. */
const LOCK_TIMEOUT = '2s';

/**
 * Deleting leaves the bytes in the table, in its indexes and in the write-ahead log (RELIABILITY A8). Rewriting a table
 * leaves its old file behind, a checkpoint in a new segment the old log; that these are removed and not used again is
 * `wal_recycle = off`. The vectors, whose index takes longest, are rewritten beside the live ones.
 */
export const purgePostgres = async (pool: Pool, signal: AbortSignal): Promise<void> => {
  await rewriteVectors(pool, signal);
  const client = await pool.connect();
  try {
    await client.query(`set lock_timeout = '${LOCK_TIMEOUT}'`);
    for (const table of await tablesOf(pool)) {
      await client.query(`vacuum (full) ${table}`);
      await delay(PAUSE_MS, undefined, { signal });
    }
    await client.query('checkpoint');
    await client.query('select pg_switch_wal()');
    await client.query('checkpoint');
    await client.query('checkpoint');
  } finally {
    await client.query('reset lock_timeout').catch(() => undefined);
    client.release();
  }
};

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

/** A merge keeps what a copy of the index may still ask for; what that is OpenSearch looks at every half minute. */
const LEASES_WAIT_MS = 120_000;
const LEASES_POLL_MS = 1_000;

const untilNobodyAsks = async (client: OpenSearchClient, signal: AbortSignal): Promise<void> => {
  const newest = new Map(
    [...(await shardsOf(client))].map(([shard, copies]) => [
      shard,
      Math.max(...copies.map(({ seq_no: seqNo }) => seqNo.max_seq_no)),
    ]),
  );
  const isAskedFor = ([shard, copies]: [string, ShardStats[]]): boolean =>
    copies.some(({ retention_leases: { leases } }) =>
      leases.some((lease) => lease.retaining_seq_no <= (newest.get(shard) ?? -1)),
    );
  for (let waited = 0; [...(await shardsOf(client))].some(isAskedFor); waited += LEASES_POLL_MS) {
    if (waited > LEASES_WAIT_MS)
      throw fail('lexical.unavailable', 'OpenSearch still keeps documents that were deleted');
    await delay(LEASES_POLL_MS, undefined, { signal });
  }
};

/** Segments with documents that were replaced or deleted are written anew without them, and the translog is cut. */
export const purgeOpenSearch = async (client: OpenSearchClient, signal: AbortSignal): Promise<void> => {
  const index = CHUNKS_INDICES;
  await client.deleteByQuery({ index, conflicts: 'proceed', body: { query: OLD_TOMBSTONES } });
  await client.indices.refresh({ index });
  await client.indices.flush({ index, force: true, wait_if_ongoing: true });
  await untilNobodyAsks(client, signal);
  await client.indices.forcemerge({ index, only_expunge_deletes: true, flush: true });
  await client.indices.flush({ index, force: true, wait_if_ongoing: true });
  await client.indices.refresh({ index });
};
