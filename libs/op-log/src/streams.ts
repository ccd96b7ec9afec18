import { setTimeout as delay } from 'node:timers/promises';
import {
  BUDGETS_STREAM,
  BUDGETS_SUBJECTS,
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
  JetStreamApiError,
  jetstreamManager,
  PersistMode,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type StreamConfig,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

const DUPLICATE_WINDOW_NS = 2 * 60 * 1e9;
/** An op carries at most CHUNKS_PER_OP_MAX chunks, about 400 KiB; a larger one is a bug and is rejected. */
const MESSAGE_BYTES_MAX = 1_048_576;

const LEDGER_ENTRY_BYTES_MAX = 1_024;

/** Measured from the last increment; longer than the hour that a counter covers. */
const RATES_AGE_NS = 70 * 60 * 1e9;

/** A whole UTC day and the night after it, starting at the last increment. */
const BUDGETS_AGE_NS = 50 * 3_600 * 1e9;

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
 * One counter per subject: calls of a token in an hour, tokens of a workspace in a day. A count is not a record: a single broker writes it to disk without a sync for each
 * call, so that it survives a restart; with replicas, memory is enough.
 */
const counterStream = (name: string, subjects: string, ageNs: number, replicas: number): WantedStream => ({
  name,
  subjects: [subjects],
  ...shortLived(replicas),
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.Old,
  num_replicas: replicas,
  max_age: ageNs,
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

/** "No suitable peers for placement", and "JetStream system temporarily unavailable": brokers that are still starting. */
export const BROKERS_MISSING = new Set([10005, 10008]);
/** Brokers of a cluster that start together find each other within seconds. */
const PLACEMENT_WAIT_MS = 60_000;
const PLACEMENT_RETRY_MS = 250;

const addWhenPlaced = async (manager: JetStreamManager, wanted: WantedStream, end: number): Promise<void> => {
  for (;;) {
    try {
      await manager.streams.add(wanted);
      return;
    } catch (thrown) {
      if (!(thrown instanceof JetStreamApiError) || !BROKERS_MISSING.has(thrown.code)) throw thrown;
      if (Date.now() >= end)
        throw fail(
          'oplog.unavailable',
          `stream ${wanted.name} needs ${wanted.num_replicas} brokers that are running, and some are not. Start them, or lower NATS_REPLICAS.`,
          {},
          thrown,
        );
      await delay(PLACEMENT_RETRY_MS);
    }
  }
};

interface Provision {
  readonly wanted: WantedStream;
  readonly mustHold: readonly (keyof StreamConfig)[];
}

const provisions = (replicas: number): readonly Provision[] => [
  { wanted: recordStream(OPLOG_STREAM, OPLOG_SUBJECTS, replicas), mustHold: MUST_HOLD },
  { wanted: recordStream(VECTORS_STREAM, VECTORS_SUBJECTS, replicas), mustHold: MUST_HOLD },
  { wanted: ledgerStream(replicas), mustHold: LEDGER_MUST_HOLD },
  { wanted: counterStream(RATES_STREAM, RATES_SUBJECTS, RATES_AGE_NS, replicas), mustHold: COUNTER_MUST_HOLD },
  { wanted: counterStream(BUDGETS_STREAM, BUDGETS_SUBJECTS, BUDGETS_AGE_NS, replicas), mustHold: COUNTER_MUST_HOLD },
  { wanted: signInsStream(replicas), mustHold: SIGN_INS_MUST_HOLD },
];

/** Creates the streams OPLOG, VECTORS, FORGOTTEN, RATES, BUDGETS and SIGN_INS if missing, and rejects those with other settings. */
export const ensureStreams = async (
  nats: NatsConnection,
  replicas = 1,
  { placementWaitMs = PLACEMENT_WAIT_MS } = {},
): Promise<void> => {
  const manager = await jetstreamManager(nats);
  const end = Date.now() + placementWaitMs;
  for (const { wanted, mustHold } of provisions(replicas)) {
    const found = await manager.streams.info(wanted.name).then(
      (info) => info.config,
      () => undefined,
    );
    if (!found) {
      await addWhenPlaced(manager, wanted, end);
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

/** Creates one of these streams, which does not exist, with settings of its own in addition. */
export const addStream = async (
  manager: JetStreamManager,
  name: string,
  replicas: number,
  own: Partial<StreamConfig> = {},
): Promise<void> => {
  const { wanted } = provisions(replicas).find((provision) => provision.wanted.name === name)!;
  await manager.streams.add({ ...wanted, ...own });
};
