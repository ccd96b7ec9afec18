import { fail, KEYS_BUCKET } from '@cairn/contracts';
import { Kvm, type KV, type KvEntry } from '@nats-io/kv';
import type { AppError } from '@cairn/kernel';
import { eraseMessages, publishAtomically, type NatsConnection, type PublishedMessage } from '@cairn/messaging';
import {
  jetstream,
  jetstreamManager,
  type JsMsg,
  type NextMsgRequest,
  type SeqMsgRequest,
  type StoredMsg,
} from '@nats-io/jetstream';
import { KeyReads } from './key-reads.js';
import { withoutChunks, type KeyEntry, type KeyRecord, type KeyStore } from './key-store.port.js';

/**
 * Two revisions are kept although only the newest counts: to destroy a key the old revision must still be addressable,
 * since overwriting leaves its bytes on disk and only a delete by sequence with erase removes them.
 */
const HISTORY = 2;

const STREAM = `KV_${KEYS_BUCKET}`;
const PUT_TIMEOUT_MS = 5_000;
/** Other processes may remove keys from the same record, or wrap them again, at the same time. */
const DESTROY_TRIES_MAX = 5;
/** Below the broker's limit for one batch. */
const BATCH_MAX = 500;
/** Records that are fetched ahead of the reader; one may take half a megabyte. */
const READ_AHEAD = 50;
const READ_WAIT_MS = 2_000;

const subjectOf = (key: string): string => `$KV.${KEYS_BUCKET}.${key}`;

interface Waiting extends PublishedMessage {
  readonly resolve: () => void;
  readonly reject: (error: AppError) => void;
}

export class JetStreamKeyStore implements KeyStore {
  private waiting: Waiting[] = [];
  private readonly reads: KeyReads;

  private constructor(
    private readonly nats: NatsConnection,
    private readonly bucket: KV,
  ) {
    this.reads = new KeyReads(nats, STREAM);
  }

  /** For ingest, which owns the bucket and creates it if it is missing. */
  static async create(nats: NatsConnection, replicas: number): Promise<JetStreamKeyStore> {
    const bucket = await new Kvm(nats).create(KEYS_BUCKET, { history: HISTORY, replicas, allow_direct: true });
    const manager = await jetstreamManager(nats);
    await manager.streams.update(STREAM, { allow_atomic: true });
    return new JetStreamKeyStore(nats, bucket);
  }

  /** For the other services, which only read the bucket and may start before it exists. */
  static async open(nats: NatsConnection): Promise<JetStreamKeyStore> {
    return new JetStreamKeyStore(nats, await new Kvm(nats).open(KEYS_BUCKET, { bindOnly: true, allow_direct: true }));
  }

  /** Simultaneous puts are written to disk together: the keys of a group of commands cost little more than those of one. */
  put(workspaceId: string, itemId: string, record: KeyRecord): Promise<void> {
    return this.publish({ subject: subjectOf(`${workspaceId}.${itemId}`), body: JSON.stringify(record) });
  }

  private publish(message: PublishedMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ ...message, resolve, reject });
      if (this.waiting.length === 1) queueMicrotask(() => void this.flush());
    });
  }

  private async flush(): Promise<void> {
    const all = this.waiting.splice(0);
    for (let start = 0; start < all.length; start += BATCH_MAX) {
      const batch = all.slice(start, start + BATCH_MAX);
      const ack = await publishAtomically(this.nats, batch, PUT_TIMEOUT_MS).catch(() => undefined);
      const failure = ack?.seq ? undefined : fail('oplog.unavailable', 'the key store did not acknowledge; try again');
      for (const { resolve, reject } of batch) {
        if (failure) reject(failure);
        else resolve();
      }
    }
  }

  async get(workspaceId: string, itemId: string): Promise<KeyRecord | undefined> {
    const newest = await this.reads.newest(subjectOf(`${workspaceId}.${itemId}`));
    return newest && !isTombstone(newest) ? newest.json<KeyRecord>() : undefined;
  }

  async create(workspaceId: string, itemId: string, record: KeyRecord): Promise<void> {
    const key = `${workspaceId}.${itemId}`;
    try {
      await this.bucket.create(key, JSON.stringify(record));
    } catch (thrown) {
      // Rejected because another process was faster; anything else is a failure.
      if (!(await this.get(workspaceId, itemId)))
        throw fail('key.unavailable', 'the key store is unavailable', {}, thrown);
    }
  }

  async *entries(): AsyncGenerator<KeyEntry> {
    const consumer = await jetstream(this.nats).consumers.get(STREAM);
    try {
      // A message that is erased meanwhile never arrives, so the last one that does may not be marked as the last.
      while ((await consumer.info()).num_pending > 0) {
        for await (const message of await consumer.fetch({ max_messages: READ_AHEAD, expires: READ_WAIT_MS })) {
          if (!message.headers?.has('KV-Operation')) yield entryOf(message);
          if (message.info.pending === 0) return;
        }
      }
    } finally {
      await consumer.delete().catch(() => undefined);
    }
  }

  async replace({ workspaceId, itemId, revision }: KeyEntry, record: KeyRecord): Promise<void> {
    const key = `${workspaceId}.${itemId}`;
    try {
      await this.supersede(key, (entry) =>
        entry.revision === revision ? this.bucket.update(key, JSON.stringify(record), revision) : undefined,
      );
    } catch (thrown) {
      throw fail('key.unavailable', 'the key store did not replace a key; try again', {}, thrown);
    }
  }

  /** Writes a tombstone first, so that a reader finds nothing; then erases the earlier revisions one by one. */
  async destroy(workspaceId: string, itemId: string): Promise<void> {
    const key = `${workspaceId}.${itemId}`;
    try {
      await this.supersede(key, ({ revision }) => this.bucket.delete(key, { previousSeq: revision }));
    } catch (thrown) {
      throw fail('key.unavailable', 'the key store did not destroy a key; try again', {}, thrown);
    }
  }

  /** Writes a new revision without the keys, then erases the older ones. */
  async destroyChunks(workspaceId: string, itemId: string, chunkIds: readonly string[]): Promise<void> {
    const key = `${workspaceId}.${itemId}`;
    try {
      await this.supersede(key, (entry) => {
        const record = entry.json<KeyRecord>();
        const rest = withoutChunks(record, chunkIds);
        return rest === record ? undefined : this.bucket.update(key, JSON.stringify(rest), entry.revision);
      });
    } catch (thrown) {
      throw fail('key.unavailable', 'the key store did not destroy a key; try again', {}, thrown);
    }
  }

  async isDestroyed(workspaceId: string, itemId: string): Promise<boolean> {
    const newest = await this.reads.newest(subjectOf(`${workspaceId}.${itemId}`));
    return newest !== undefined && isTombstone(newest);
  }

  async restore(workspaceId: string, itemId: string, record: KeyRecord | undefined): Promise<boolean> {
    const subject = subjectOf(`${workspaceId}.${itemId}`);
    const newest = await this.reads.newest(subject);
    if (newest && (record || isTombstone(newest))) return false;
    if (newest) await this.destroy(workspaceId, itemId);
    else if (record) await this.put(workspaceId, itemId, record);
    else await this.publish({ subject, body: '', headers: TOMBSTONE });
    return true;
  }

  async revisions(workspaceId: string, itemId: string): Promise<number> {
    const subject = subjectOf(`${workspaceId}.${itemId}`);
    const { streams } = await jetstreamManager(this.nats);
    const info = await streams.info(STREAM, { subjects_filter: subject });
    return info.state.subjects?.[subject] ?? 0;
  }

  /**
   * Writes a revision after the newest record, if there is one and `write` returns one, then erases all earlier ones. The
   * write expects the revision that it was based on: no write ever overwrites a destruction, and there are never three
   * revisions, of which the first would be dropped and could no longer be addressed.
   */
  private async supersede(key: string, write: (entry: KvEntry) => Promise<unknown> | undefined): Promise<void> {
    const subject = subjectOf(key);
    for (let tries = 1; ; tries++) {
      const entry = await this.bucket.get(key);
      // After reading the entry: the write succeeds only if that is still the newest, with no revision left before it.
      await this.eraseOldRevisions(subject);
      const written = entry?.operation === 'PUT' ? write(entry) : undefined;
      if (!written) return;
      if (await succeeds(written, tries === DESTROY_TRIES_MAX)) return await this.eraseOldRevisions(subject);
    }
  }

  /**
   * Asks the stream's leader, which has seen the tombstone. Also erases revisions that an interrupted destruction has
   * left.
   */
  private async eraseOldRevisions(subject: string): Promise<void> {
    const { streams } = await jetstreamManager(this.nats);
    const newest = await streams.getMessage(STREAM, { last_by_subj: subject });
    // The leader accepts this form too, although its type is declared for direct reads only.
    const first: SeqMsgRequest & NextMsgRequest = { seq: 1, next_by_subj: subject };
    for (;;) {
      const oldest = await streams.getMessage(STREAM, first);
      if (!oldest || !newest || oldest.seq >= newest.seq) return;
      await eraseMessages(this.nats, STREAM, [oldest.seq]);
    }
  }
}

/** A deletion in a KV bucket is a message with a header that marks it. */
const TOMBSTONE = { 'KV-Operation': 'DEL' } as const;
const isTombstone = ({ header }: StoredMsg): boolean => header.get('KV-Operation') !== '';

const entryOf = (message: JsMsg): KeyEntry => {
  const [workspaceId, itemId] = message.subject.split('.').slice(-2) as [string, string];
  return { workspaceId, itemId, record: message.json<KeyRecord>(), revision: message.seq };
};

/** False when it failed and may be retried. */
const succeeds = async (work: Promise<unknown>, isLast: boolean): Promise<boolean> => {
  try {
    await work;
    return true;
  } catch (thrown) {
    if (isLast) throw thrown;
    return false;
  }
};
