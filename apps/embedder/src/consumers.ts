import { embedConsumer, lookAheadConsumer, OPLOG_STREAM, OPLOG_TEXT_FILTERS } from '@cairn/contracts';
import type { NatsConnection } from '@cairn/messaging';
import {
  AckPolicy,
  DeliverPolicy,
  jetstream,
  jetstreamManager,
  type Consumer,
  type ConsumerConfig,
  type ConsumerUpdateConfig,
} from '@nats-io/jetstream';

/** The broker drops the look-ahead consumer when no replica has read from it for this long. */
const LOOK_AHEAD_INACTIVE_MS = 30_000;

export interface EmbedConsumerLimits {
  readonly ackWaitMs: number;
  readonly ackPendingMax: number;
}

/** The durable consumer that replicas share. It delivers every op with texts, and takes the acknowledgements. */
export const openEmbedConsumer = async (
  nats: NatsConnection,
  model: string,
  { ackWaitMs, ackPendingMax }: EmbedConsumerLimits,
): Promise<Consumer> => {
  const manager = await jetstreamManager(nats, { checkAPI: false });
  const durable = embedConsumer(model);
  const wanted: Partial<ConsumerConfig> = {
    durable_name: durable,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    filter_subjects: [...OPLOG_TEXT_FILTERS],
    ack_wait: ackWaitMs * 1e6,
    max_ack_pending: ackPendingMax,
  };
  await manager.consumers.add(OPLOG_STREAM, wanted).catch(() => {
    // A consumer of an earlier version has a single filter, and a consumer must not have both kinds.
    const changed = { ...wanted, filter_subject: undefined } as unknown as Partial<ConsumerUpdateConfig>;
    return manager.consumers.update(OPLOG_STREAM, durable, changed);
  });
  return jetstream(nats).consumers.get(OPLOG_STREAM, durable);
};

/**
 * Delivers the headers of the ops behind a position, without acknowledgements. Replicas share it, so each op is found
 * by one of them; a replica that starts later joins at the current position.
 */
export const openLookAheadConsumer = async (nats: NatsConnection, model: string, after: number): Promise<Consumer> => {
  const manager = await jetstreamManager(nats, { checkAPI: false });
  const name = lookAheadConsumer(model);
  const exists = await manager.consumers.info(OPLOG_STREAM, name).then(
    () => true,
    () => false,
  );
  if (!exists) {
    await manager.consumers.add(OPLOG_STREAM, {
      name,
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: after + 1,
      filter_subjects: [...OPLOG_TEXT_FILTERS],
      headers_only: true,
      mem_storage: true,
      inactive_threshold: LOOK_AHEAD_INACTIVE_MS * 1e6,
    });
  }
  return jetstream(nats).consumers.get(OPLOG_STREAM, name);
};
