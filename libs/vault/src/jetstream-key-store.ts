import { fail, KEYS_BUCKET } from '@cairn/contracts';
import { Kvm, type KV } from '@nats-io/kv';
import type { AppError } from '@cairn/kernel';
import { eraseMessages, publishAtomically, type NatsConnection, type PublishedMessage } from '@cairn/messaging';
import { jetstreamManager, type NextMsgRequest, type SeqMsgRequest, type StoredMsg } from '@nats-io/jetstream';
import { KeyReads } from './key-reads.js';
import { withoutChunks, type KeyRecord, type KeyStore } from './key-store.port.js';

/**
 * Two revisions are kept although only the newest counts: to destroy a key the old revision must still be addressable,
 * since overwriting leaves its bytes on disk and only a delete by sequence with erase removes them (RELIABILITY A8).
 */
const HISTORY = 2;

const STREAM = `KV_${KEYS_BUCKET}`;
const PUT_TIMEOUT_MS = 5_000;
/** Others may take keys out of the same record at the same moment. */
const DESTROY_TRIES_MAX = 5;
/** Below what the broker takes in one batch. */
const BATCH_MAX = 500;

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
      const subject = `$KV.${KEYS_BUCKET}.${workspaceId}.${itemId}`;
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
    const newest = await this.reads.newest(`$KV.${KEYS_BUCKET}.${workspaceId}.${itemId}`);
    return newest && !isTombstone(newest) ? newest.json<KeyRecord>() : undefined;
  }

  /** A tombstone first, so that a reader finds nothing; then what stood before it is erased, one revision after another. */
  async destroy(workspaceId: string, itemId: string): Promise<void> {
    const key = `${workspaceId}.${itemId}`;
    try {
      const subject = `$KV.${KEYS_BUCKET}.${key}`;
      const entry = await this.bucket.get(key);
      if (!entry) return;
      // A third revision would push out the first, which could not be addressed any more.
      await this.eraseOldRevisions(subject);
      if (entry.operation === 'PUT') await this.bucket.delete(key);
      await this.eraseOldRevisions(subject);
    } catch (thrown) {
      throw fail('key.unavailable', 'the key store did not destroy a key; try again', {}, thrown);
    }
  }

  /** A new revision without the keys, then the older ones are erased. */
  async destroyChunks(workspaceId: string, itemId: string, chunkIds: readonly string[]): Promise<void> {
    const key = `${workspaceId}.${itemId}`;
    const subject = `$KV.${KEYS_BUCKET}.${key}`;
    try {
      for (let tries = 1; ; tries++) {
        const entry = await this.bucket.get(key);
        // Behind the look: the update goes through only if that is still the newest, with nothing left before it.
        await this.eraseOldRevisions(subject);
        if (entry?.operation !== 'PUT') return;
        const record = entry.json<KeyRecord>();
        const rest = withoutChunks(record, chunkIds);
        if (rest === record) return;
        const put = this.bucket.update(key, JSON.stringify(rest), entry.revision);
        if (await succeeds(put, tries === DESTROY_TRIES_MAX)) return await this.eraseOldRevisions(subject);
      }
    } catch (thrown) {
      throw fail('key.unavailable', 'the key store did not destroy a key; try again', {}, thrown);
    }
  }

  async isDestroyed(workspaceId: string, itemId: string): Promise<boolean> {
    const newest = await this.reads.newest(`$KV.${KEYS_BUCKET}.${workspaceId}.${itemId}`);
    return newest !== undefined && isTombstone(newest);
  }

  async revisions(workspaceId: string, itemId: string): Promise<number> {
    const subject = `$KV.${KEYS_BUCKET}.${workspaceId}.${itemId}`;
    const { streams } = await jetstreamManager(this.nats);
    const info = await streams.info(STREAM, { subjects_filter: subject });
    return info.state.subjects?.[subject] ?? 0;
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
