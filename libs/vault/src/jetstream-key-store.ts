import { fail, KEYS_BUCKET } from '@cairn/contracts';
import { Kvm, type KV } from '@nats-io/kv';
import type { AppError } from '@cairn/kernel';
import { publishAtomically, type NatsConnection, type PublishedMessage } from '@cairn/messaging';
import { jetstreamManager } from '@nats-io/jetstream';
import type { KeyRecord, KeyStore } from './key-store.port.js';

/**
 * Two revisions are kept although only the newest counts: to destroy a key the old revision must still be addressable,
 * since overwriting leaves its bytes on disk and only a delete by sequence with erase removes them (RELIABILITY A8).
 */
const HISTORY = 2;

const PUT_TIMEOUT_MS = 5_000;
/** Below what the broker takes in one batch. */
const BATCH_MAX = 500;

interface Waiting extends PublishedMessage {
  readonly resolve: () => void;
  readonly reject: (error: AppError) => void;
}

export class JetStreamKeyStore implements KeyStore {
  private waiting: Waiting[] = [];

  private constructor(
    private readonly nats: NatsConnection,
    private readonly bucket: KV,
  ) {}

  /** Ingest owns the bucket and makes it where it is missing. */
  static async create(nats: NatsConnection, replicas: number): Promise<JetStreamKeyStore> {
    const bucket = await new Kvm(nats).create(KEYS_BUCKET, { history: HISTORY, replicas, allow_direct: true });
    const manager = await jetstreamManager(nats);
    await manager.streams.update(`KV_${KEYS_BUCKET}`, { allow_atomic: true });
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
    const entry = await this.bucket.get(`${workspaceId}.${itemId}`).catch((thrown: unknown) => {
      throw fail('key.unavailable', 'the key store is away; try again', {}, thrown);
    });
    return entry?.operation === 'PUT' ? entry.json<KeyRecord>() : undefined;
  }
}
