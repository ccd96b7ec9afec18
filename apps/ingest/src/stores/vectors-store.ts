import { embedConsumer, keptModels, OPLOG_STREAM, VECTORS_STREAM } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import type { NatsConnection } from '@cairn/messaging';
import { replaceStream, setGeneration, streamState, type StreamState, type VectorModelStore } from '@cairn/op-log';
import { inTransaction, type Inspection } from '@cairn/projections';
import { jetstreamManager } from '@nats-io/jetstream';
import type { Pool, PoolClient } from 'pg';
import type { WatchedStore } from './store-watch.js';

export interface VectorsStoreParts {
  readonly nats: NatsConnection;
  readonly pool: Pool;
  readonly models: Pick<VectorModelStore, 'get'>;
  readonly replicas: number;
  /** Has the projection continue in the new stream. */
  readonly reread: () => void;
}

interface Recorded {
  /** The highest position that a row of the table may have. */
  readonly position: number;
  readonly generation: string | null;
}

const NO_CONSUMER = 10014;
const RECORD = `select position, generation from cairn.projections where name = 'vectors'`;
const SET_GENERATION = `update cairn.projections set generation = $1 where name = 'vectors'`;

const recorded = async (db: Pool | PoolClient, suffix = ''): Promise<Recorded> => {
  const { rows } = await db.query<{ position: string; generation: string | null }>(`${RECORD}${suffix}`);
  return { position: Number(rows[0]?.position ?? 0), generation: rows[0]?.generation ?? null };
};

/** Why the stream is not the one that the table was filled from, if it is not. */
const lossOf = ({ position, generation }: Recorded, stream: StreamState | undefined): string | undefined => {
  if (!stream) return 'does not exist any more';
  if (stream.last < position) return `was set back from ${position} to ${stream.last}`;
  return generation !== null && generation !== stream.generation ? 'was replaced by another stream' : undefined;
};

/**
 * VECTORS, the record of vectors. If it is lost, a new stream continues its numbers and all texts are embedded again.
 * The table keeps its rows, so searches by meaning stay complete meanwhile (ADR 0132).
 */
export const vectorsStore = (parts: VectorsStoreParts): WatchedStore => ({
  name: VECTORS_STREAM,
  inspect: async (): Promise<Inspection> => {
    const { nats, pool } = parts;
    const before = await recorded(pool);
    const stream = await streamState(nats, VECTORS_STREAM);
    const loss = lossOf(before, stream);
    if (loss !== undefined)
      return { isLost: true, problem: `${VECTORS_STREAM} ${loss}; all texts are embedded again into a new stream` };
    if (stream && before.generation === null) await recordGeneration(parts, stream);
    return { isLost: false, problem: undefined };
  },
  heal: () => replaceVectors(parts),
});

/** Only one process at a time, so that two of them do not give the stream two generations. */
const locked = <T>({ pool }: VectorsStoreParts, work: (client: PoolClient, now: Recorded) => Promise<T>): Promise<T> =>
  inTransaction(pool, async (client) => work(client, await recorded(client, ' for update')));

/** The stream is seen for the first time, or its table was replaced by a rebuilt one. */
const recordGeneration = (parts: VectorsStoreParts, stream: StreamState): Promise<void> =>
  locked(parts, async (client, now) => {
    if (now.generation !== null) return;
    const generation = stream.generation ?? uuidV7();
    if (stream.generation === undefined) await setGeneration(parts.nats, VECTORS_STREAM, generation);
    await client.query(SET_GENERATION, [generation]);
  });

/**
 * The record comes last: a process that dies before it leaves a stream of an unknown generation, which is replaced once
 * more. The consumers of the embedder are deleted, so that it starts at the first op again.
 */
const replaceVectors = async (parts: VectorsStoreParts): Promise<void> => {
  const { nats, replicas, reread } = parts;
  await locked(parts, async (client, now) => {
    const stream = await streamState(nats, VECTORS_STREAM);
    if (lossOf(now, stream) === undefined) return;
    const generation = uuidV7();
    const firstPosition = Math.max(now.position, stream?.last ?? 0) + 1;
    await replaceStream(nats, VECTORS_STREAM, { replicas, generation, firstPosition });
    await restartEmbedding(parts);
    await client.query(SET_GENERATION, [generation]);
  });
  reread();
};

const restartEmbedding = async ({ nats, models }: VectorsStoreParts): Promise<void> => {
  const { consumers } = await jetstreamManager(nats, { checkAPI: false });
  const kept = await models.get();
  for (const { id } of kept ? keptModels(kept) : [])
    await consumers.delete(OPLOG_STREAM, embedConsumer(id)).catch((thrown: unknown) => {
      if ((thrown as { readonly code?: number }).code !== NO_CONSUMER) throw thrown;
    });
};
