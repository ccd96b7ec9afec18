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
/** Others may take keys out of the same record, or wrap them anew, at the same moment. */
const DESTROY_TRIES_MAX = 5;
/** Below what the broker takes in one batch. */
const BATCH_MAX = 500;
/** Records that are read ahead of whoever walks through them; one may have half a megabyte. */
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

  /** Ingest owns the bucket and makes it where it is missing. */
  static async create(nats: NatsConnection, replicas: number): Promise<JetStreamKeyStore> {
    const bucket = await new Kvm(nats).create(KEYS_BUCKET, { history: HISTORY, replicas, allow_direct: true });
    const manager = await jetstreamManager(nats);
    await manager.streams.update(STREAM, { allow_atomic: true });
    return new JetStreamKeyStore(nats, bucket);
  }

  /** Everybody else only reads it, and may start before it exists. */
  static async open(nats: NatsConnection): Promise<JetStreamKeyStore> {
    return new JetStreamKeyStore(nats, await new Kvm(nats).open(KEYS_BUCKET, { bindOnly: true, allow_direct: true }));
  }

  /** Puts of one moment go to the disk together: the keys of a group of commands cost little more than those of one. */
  put(workspaceId: string, itemId: string, record: KeyRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      const subject = subjectOf(`${workspaceId}.${itemId}`);
      this.waiting.push({ subject, body: JSON.stringify(record), resolve, reject });
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
      // Refused, because somebody was faster; anything else is a failure.
      if (!(await this.get(workspaceId, itemId))) throw fail('key.unavailable', 'the key store is away', {}, thrown);
    }
  }

  async *entries(): AsyncGenerator<KeyEntry> {
    const consumer = await jetstream(this.nats).consumers.get(STREAM);
    try {
      // What is erased while it is read never arrives, so the last that does need not know that it is.
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

  /** A tombstone first, so that a reader finds nothing; then what stood before it is erased, one revision after another. */
  async destroy(workspaceId: string, itemId: string): Promise<void> {
    const key = `${workspaceId}.${itemId}`;
    try {
      await this.supersede(key, ({ revision }) => this.bucket.delete(key, { previousSeq: revision }));
    } catch (thrown) {
      throw fail('key.unavailable', 'the key store did not destroy a key; try again', {}, thrown);
    }
  }

  /** A new revision without the keys, then the older ones are erased. */
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

  async revisions(workspaceId: string, itemId: string): Promise<number> {
    const subject = subjectOf(`${workspaceId}.${itemId}`);
    const { streams } = await jetstreamManager(this.nats);
    const info = await streams.info(STREAM, { subjects_filter: subject });
    return info.state.subjects?.[subject] ?? 0;
  }

  /**
   * Writes behind the newest record, if there is one and `write` wants to, then erases all that stands before. Whoever
   * writes expects the revision it was shown: nobody ever writes over a destruction, and there are never three revisions,
   * of which the first would be pushed out and could not be addressed any more.
   */
  private async supersede(key: string, write: (entry: KvEntry) => Promise<unknown> | undefined): Promise<void> {
    const subject = subjectOf(key);
    for (let tries = 1; ; tries++) {
      const entry = await this.bucket.get(key);
      // Behind the look: the write goes through only if that is still the newest, with nothing left before it.
      await this.eraseOldRevisions(subject);
      const written = entry?.operation === 'PUT' ? write(entry) : undefined;
      if (!written) return;
      if (await succeeds(written, tries === DESTROY_TRIES_MAX)) return await this.eraseOldRevisions(subject);
    }
  }

  /** Asks the stream's leader, who has seen the tombstone; also what a destruction that was cut short has left. */
  private async eraseOldRevisions(subject: string): Promise<void> {
    const { streams } = await jetstreamManager(this.nats);
    const newest = await streams.getMessage(STREAM, { last_by_subj: subject });
    // The leader takes this form too, although its type is known for direct reads only.
    const first: SeqMsgRequest & NextMsgRequest = { seq: 1, next_by_subj: subject };
    for (;;) {
      const oldest = await streams.getMessage(STREAM, first);
      if (!oldest || !newest || oldest.seq >= newest.seq) return;
      await eraseMessages(this.nats, STREAM, [oldest.seq]);
    }
  }
}

/** A deletion in a KV bucket is a message that says so. */
const isTombstone = ({ header }: StoredMsg): boolean => header.get('KV-Operation') !== '';

const entryOf = (message: JsMsg): KeyEntry => {
  const [workspaceId, itemId] = message.subject.split('.').slice(-2) as [string, string];
  return { workspaceId, itemId, record: message.json<KeyRecord>(), revision: message.seq };
};

/** False when it failed and may be tried again. */
const succeeds = async (work: Promise<unknown>, isLast: boolean): Promise<boolean> => {
  try {
    await work;
    return true;
  } catch (thrown) {
    if (isLast) throw thrown;
    return false;
  }
};
