import { fail, OPLOG_STREAM, OPLOG_SUBJECTS, VECTORS_STREAM, VECTORS_SUBJECTS } from '@cairn/contracts';
import { DiscardPolicy, jetstreamManager, RetentionPolicy, StorageType, type StreamConfig } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

const DUPLICATE_WINDOW_NS = 2 * 60 * 1e9;
/** An op carries at most CHUNKS_PER_OP_MAX chunks, some 400 KiB; a larger one is a bug, and is refused. */
const MESSAGE_BYTES_MAX = 1_048_576;

const recordStream = (name: string, subject: string, replicas: number): Partial<StreamConfig> & { name: string } => ({
  name,
  subjects: [subject],
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.New,
  num_replicas: replicas,
  max_age: 0,
  max_msg_size: MESSAGE_BYTES_MAX,
  duplicate_window: DUPLICATE_WINDOW_NS,
  allow_direct: true,
  allow_atomic: true,
  deny_purge: true,
  // Erasing a forgotten op by sequence must stay possible.
  deny_delete: false,
  allow_rollup_hdrs: false,
});

/** Settings that a stream of record must have; whatever differs would lose ops in silence. */
const MUST_HOLD = ['storage', 'discard', 'max_age', 'duplicate_window', 'allow_atomic', 'deny_delete'] as const;

/** Creates OPLOG and VECTORS where they are missing, and refuses streams that were made with other settings. */
export const ensureStreams = async (nats: NatsConnection, replicas = 1): Promise<void> => {
  const manager = await jetstreamManager(nats);
  for (const wanted of [
    recordStream(OPLOG_STREAM, OPLOG_SUBJECTS, replicas),
    recordStream(VECTORS_STREAM, VECTORS_SUBJECTS, replicas),
  ]) {
    const found = await manager.streams.info(wanted.name).then(
      (info) => info.config,
      () => undefined,
    );
    if (!found) {
      await manager.streams.add(wanted);
      continue;
    }
    const wrong = MUST_HOLD.filter((key) => (found[key] ?? false) !== (wanted[key] ?? false));
    if (wrong.length > 0) {
      throw fail(
        'oplog.unsuitable_server',
        `stream ${wanted.name} has other settings than Cairn needs: ${wrong.join(', ')}`,
      );
    }
  }
};
