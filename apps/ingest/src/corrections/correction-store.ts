import { CORRECTION_KEPT_MS, CORRECTIONS_BUCKET, CORRECTIONS_BYTES_MAX, fail } from '@cairn/contracts';
import type { SealedCorrection } from '@cairn/domain';
import type { NatsConnection } from '@cairn/messaging';
import { Kvm, type KV } from '@nats-io/kv';

/** Proposals that wait to be applied: outside the log, shared by all replicas, and kept across a restart. */
export interface CorrectionStore {
  /** Durable when it resolves. */
  put(workspaceId: string, correction: SealedCorrection): Promise<void>;
  get(workspaceId: string, correctionId: string): Promise<SealedCorrection | undefined>;
}

const unavailable = (thrown: unknown) =>
  fail('oplog.unavailable', 'the store of proposed corrections is unavailable; try again', {}, thrown);

/**
 * The broker drops a proposal by its own clock, some time after it has expired by ours. The text is sealed under the
 * chunk's key, so destroying the key destroys the text.
 */
export class JetStreamCorrectionStore implements CorrectionStore {
  private constructor(private readonly bucket: KV) {}

  static async create(nats: NatsConnection, replicas: number): Promise<JetStreamCorrectionStore> {
    const limits = { history: 1, ttl: CORRECTION_KEPT_MS, max_bytes: CORRECTIONS_BYTES_MAX };
    return new JetStreamCorrectionStore(
      await new Kvm(nats).create(CORRECTIONS_BUCKET, { ...limits, replicas, allow_direct: true }),
    );
  }

  async put(workspaceId: string, correction: SealedCorrection): Promise<void> {
    const key = `${workspaceId}.${correction.correctionId}`;
    await this.bucket.put(key, JSON.stringify(correction)).catch((thrown: unknown) => {
      throw unavailable(thrown);
    });
  }

  async get(workspaceId: string, correctionId: string): Promise<SealedCorrection | undefined> {
    const entry = await this.bucket.get(`${workspaceId}.${correctionId}`).catch((thrown: unknown) => {
      throw unavailable(thrown);
    });
    return entry?.operation === 'PUT' ? entry.json<SealedCorrection>() : undefined;
  }
}
