import {
  fail,
  FORGOTTEN_STREAM,
  FORGOTTEN_SUBJECTS,
  OPLOG_STREAM,
  OPLOG_SUBJECTS,
  RATES_STREAM,
  RATES_SUBJECTS,
  SIGN_IN_CODE_LIFE_MS,
  SIGN_INS_STREAM,
  SIGN_INS_SUBJECTS,
  VECTORS_STREAM,
  VECTORS_SUBJECTS,
} from '@cairn/contracts';
import {
  DiscardPolicy,
  jetstreamManager,
  PersistMode,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

const DUPLICATE_WINDOW_NS = 2 * 60 * 1e9;
/** An op carries at most CHUNKS_PER_OP_MAX chunks, about 400 KiB; a larger one is a bug and is rejected. */
const MESSAGE_BYTES_MAX = 1_048_576;

const LEDGER_ENTRY_BYTES_MAX = 1_024;

/** Measured from the last increment; longer than the hour that a counter covers. */
const RATES_AGE_NS = 70 * 60 * 1e9;

/** Beyond this the oldest code is dropped; its owner has to request another one. */
const SIGN_IN_CODES_MAX = 10_000;

type WantedStream = Partial<StreamConfig> & { readonly name: string };

const recordStream = (name: string, subject: string, replicas: number): WantedStream => ({
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

/** Ids only, kept forever: nothing is ever removed from it. */
const ledgerStream = (replicas: number): WantedStream => ({
  name: FORGOTTEN_STREAM,
  subjects: [FORGOTTEN_SUBJECTS],
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.New,
  num_replicas: replicas,
  max_age: 0,
  // A forgetting that is written again replaces itself.
  max_msgs_per_subject: 1,
  max_msg_size: LEDGER_ENTRY_BYTES_MAX,
  duplicate_window: DUPLICATE_WINDOW_NS,
  allow_direct: true,
  allow_atomic: true,
  deny_purge: true,
  deny_delete: true,
});

/**
 * One counter per token and hour. A count is not a record: a single broker writes it to disk without a sync for each
 * call, so that it survives a restart; with replicas, memory is enough.
 */
const ratesStream = (replicas: number): WantedStream => ({
  name: RATES_STREAM,
  subjects: [RATES_SUBJECTS],
  ...shortLived(replicas),
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.Old,
  num_replicas: replicas,
  max_age: RATES_AGE_NS,
  max_msgs_per_subject: 1,
  max_msg_size: 1_024,
  allow_direct: true,
  allow_msg_counter: true,
});

/** The storage for short-lived data: on disk without a sync for a single broker, in memory for several. */
const shortLived = (replicas: number): Partial<StreamConfig> =>
  replicas > 1 ? { storage: StorageType.Memory } : { storage: StorageType.File, persist_mode: PersistMode.Async };

/** One message per sign-in code: the sealed token, then a mark that it was used. */
const signInsStream = (replicas: number): WantedStream => ({
  name: SIGN_INS_STREAM,
  subjects: [SIGN_INS_SUBJECTS],
  ...shortLived(replicas),
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.Old,
  num_replicas: replicas,
  max_age: SIGN_IN_CODE_LIFE_MS * 1e6,
  max_msgs: SIGN_IN_CODES_MAX,
  max_msgs_per_subject: 1,
  max_msg_size: 1_024,
});

/** Settings that a stream of record must have; any other value would silently lose ops. */
const MUST_HOLD = ['storage', 'discard', 'max_age', 'duplicate_window', 'allow_atomic', 'deny_delete'] as const;
const LEDGER_MUST_HOLD = ['storage', 'discard', 'max_age', 'max_msgs_per_subject', 'allow_atomic'] as const;
const SIGN_INS_MUST_HOLD = ['max_age', 'max_msgs_per_subject'] as const;
/** The storage of a counter does not affect its value, so the number of replicas may change. */
const COUNTER_MUST_HOLD = ['max_age', 'max_msgs_per_subject', 'allow_msg_counter'] as const;

/** Creates the streams OPLOG, VECTORS, FORGOTTEN, RATES and SIGN_INS if missing, and rejects those with other settings. */
export const ensureStreams = async (nats: NatsConnection, replicas = 1): Promise<void> => {
  const manager = await jetstreamManager(nats);
  for (const [wanted, mustHold] of [
    [recordStream(OPLOG_STREAM, OPLOG_SUBJECTS, replicas), MUST_HOLD],
    [recordStream(VECTORS_STREAM, VECTORS_SUBJECTS, replicas), MUST_HOLD],
    [ledgerStream(replicas), LEDGER_MUST_HOLD],
    [ratesStream(replicas), COUNTER_MUST_HOLD],
    [signInsStream(replicas), SIGN_INS_MUST_HOLD],
  ] as const) {
    const found = await manager.streams.info(wanted.name).then(
      (info) => info.config,
      () => undefined,
    );
    if (!found) {
      await manager.streams.add(wanted);
      continue;
    }
    const wrong = mustHold.filter((key) => (found[key] ?? false) !== (wanted[key] ?? false));
    if (wrong.length > 0) {
      throw fail(
        'oplog.unsuitable_server',
        `stream ${wanted.name} has other settings than Cairn needs: ${wrong.join(', ')}`,
      );
    }
  }
};
