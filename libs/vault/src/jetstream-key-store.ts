import { fail, KEYS_BUCKET } from '@cairn/contracts';
import { Kvm, type KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import type { KeyRecord, KeyStore } from './key-store.port.js';

/**
 * Two revisions are kept although only the newest counts: to destroy a key the old revision must still be addressable,
 * since overwriting leaves its bytes on disk and only a delete by sequence with erase removes them (RELIABILITY A8).
 */
const HISTORY = 2;

export class JetStreamKeyStore implements KeyStore {
  private constructor(private readonly bucket: KV) {}

  /** Ingest owns the bucket and makes it where it is missing. */
  static async create(nats: NatsConnection, replicas: number): Promise<JetStreamKeyStore> {
    const bucket = await new Kvm(nats).create(KEYS_BUCKET, { history: HISTORY, replicas, allow_direct: true });
    return new JetStreamKeyStore(bucket);
  }

  /** Everybody else only reads it, and may start before it exists. */
  static async open(nats: NatsConnection): Promise<JetStreamKeyStore> {
    return new JetStreamKeyStore(await new Kvm(nats).open(KEYS_BUCKET, { bindOnly: true, allow_direct: true }));
  }

  async put(workspaceId: string, itemId: string, record: KeyRecord): Promise<void> {
    try {
      await this.bucket.put(`${workspaceId}.${itemId}`, JSON.stringify(record));
    } catch (thrown) {
      throw fail('oplog.unavailable', 'the key store is away; try again', {}, thrown);
    }
  }

  async get(workspaceId: string, itemId: string): Promise<KeyRecord | undefined> {
    const entry = await this.bucket.get(`${workspaceId}.${itemId}`).catch((thrown: unknown) => {
      throw fail('key.unavailable', 'the key store is away; try again', {}, thrown);
    });
    return entry?.operation === 'PUT' ? entry.json<KeyRecord>() : undefined;
  }
}
