import { embedConsumer, OPLOG_STREAM } from '@cairn/contracts';
import type { NatsConnection } from '@cairn/messaging';
import { jetstreamManager } from '@nats-io/jetstream';

/** Ops with texts whose vectors are made, and all of them, as the broker counts deliveries. */
export interface EmbeddingProgress {
  readonly done: number;
  readonly total: number;
}

/** How far the embedder is with the vectors of this id; undefined if it has not begun. */
export const embeddingProgress = async (nats: NatsConnection, id: string): Promise<EmbeddingProgress | undefined> => {
  const manager = await jetstreamManager(nats, { checkAPI: false });
  const consumer = await manager.consumers.info(OPLOG_STREAM, embedConsumer(id)).catch(() => undefined);
  if (!consumer) return undefined;
  const { delivered, num_ack_pending: inWork, num_pending: waiting } = consumer;
  return { done: delivered.consumer_seq - inWork, total: delivered.consumer_seq + waiting };
};
