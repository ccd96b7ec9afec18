import {
  fail,
  keepingUnknown,
  VECTOR_MODELS_BUCKET,
  VectorModels,
  type VectorModels as Models,
} from '@cairn/contracts';
import type { NatsConnection } from '@cairn/messaging';
import { Kvm, type KV, type KvEntry } from '@nats-io/kv';

const KEY = 'models';
/** Another process may change the models at the same time. */
const TRIES_MAX = 10;

const unavailable = (thrown: unknown) =>
  fail('oplog.unavailable', 'the store of vector models is unavailable; try again', {}, thrown);

const read = (entry: KvEntry | null): Models | undefined =>
  entry?.operation === 'PUT' ? keepingUnknown(VectorModels).parse(entry.json()) : undefined;

/** Which vectors searches use and which are made beside them: one record that all services share. */
export class VectorModelStore {
  private constructor(private readonly bucket: KV) {}

  /** For ingest, which creates the bucket if it is missing. */
  static async create(nats: NatsConnection, replicas: number): Promise<VectorModelStore> {
    return new VectorModelStore(await new Kvm(nats).create(VECTOR_MODELS_BUCKET, { history: 1, replicas }));
  }

  /** For the other processes, which may start before the bucket exists. */
  static async open(nats: NatsConnection): Promise<VectorModelStore> {
    return new VectorModelStore(await new Kvm(nats).open(VECTOR_MODELS_BUCKET, { bindOnly: true }));
  }

  async get(): Promise<Models | undefined> {
    return read(await this.entry());
  }

  /** Writes the result of `change` unless it equals the record; on a conflict, `change` decides again. */
  async update(change: (models: Models | undefined) => Models | undefined): Promise<Models | undefined> {
    for (let tries = 1; ; tries++) {
      const entry = await this.entry();
      const before = read(entry);
      const after = change(before);
      if (after === undefined || JSON.stringify(after) === JSON.stringify(before)) return before;
      try {
        await this.write(JSON.stringify(after), entry);
        return after;
      } catch (thrown) {
        if (tries === TRIES_MAX) throw unavailable(thrown);
      }
    }
  }

  private write(record: string, before: KvEntry | null): Promise<number> {
    return before ? this.bucket.update(KEY, record, before.revision) : this.bucket.create(KEY, record);
  }

  private entry(): Promise<KvEntry | null> {
    return this.bucket.get(KEY).catch((thrown: unknown) => {
      throw unavailable(thrown);
    });
  }
}
