import { join } from 'node:path';
import { startNatsServer, type SupervisedNats } from '@cairn/local-servers';
import { connectNats, type NatsConnection } from '@cairn/messaging';
import { jetstream, jetstreamManager, StorageType, type JetStreamClient } from '@nats-io/jetstream';

/** The floor of a durable write: publishes to a file stream whose server syncs to disk before it acknowledges. */
export class RawJetStream {
  private constructor(
    private readonly server: SupervisedNats,
    private readonly nats: NatsConnection,
    private readonly client: JetStreamClient,
    private readonly payload: Uint8Array,
  ) {}

  static async start(workDir: string, payloadBytes: number): Promise<RawJetStream> {
    const storeDir = join(workDir, 'raw-jetstream');
    const server = await startNatsServer({ storeDir, syncAlways: true, log: () => undefined });
    const nats = await connectNats({ url: server.url }, 'benchmark');
    const manager = await jetstreamManager(nats);
    await manager.streams.add({ name: 'RAW', subjects: ['raw'], storage: StorageType.File });
    return new RawJetStream(server, nats, jetstream(nats), new Uint8Array(payloadBytes).fill(0x78));
  }

  publish(): Promise<unknown> {
    return this.client.publish('raw', this.payload);
  }

  async stop(): Promise<void> {
    await this.nats.close();
    await this.server.stop();
  }
}
