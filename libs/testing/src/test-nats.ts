import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNatsServer, type NatsServerOptions, type SupervisedNats } from '@cairn/local-servers';
import { connectNats, type NatsConnection } from '@cairn/messaging';
import { restarts } from './restarts.js';

/** A separate nats-server for a test, on free ports, with its files in a temporary directory. */
export class TestNats {
  private readonly connections: NatsConnection[] = [];

  private constructor(
    readonly server: SupervisedNats,
    readonly storeDir: string,
    private readonly nextRestart: () => Promise<void>,
  ) {}

  static async start(options: Partial<NatsServerOptions> = {}): Promise<TestNats> {
    const storeDir = mkdtempSync(join(tmpdir(), 'cairn-nats-'));
    const { onRestart, nextRestart } = restarts();
    const server = await startNatsServer({ log: () => undefined, onRestart, ...options, storeDir });
    return new TestNats(server, storeDir, nextRestart);
  }

  get url(): string {
    return this.server.url;
  }

  /** A connection that ends with the server. */
  async connect(name = 'test'): Promise<NatsConnection> {
    const connection = await connectNats({ url: this.url }, name);
    this.connections.push(connection);
    return connection;
  }

  /** Kills the process; resolves when its supervisor has restarted it. */
  async kill(): Promise<void> {
    const back = this.nextRestart();
    process.kill(this.server.pid!, 'SIGKILL');
    await back;
  }

  async stop(): Promise<void> {
    await Promise.all(this.connections.map((connection) => connection.close()));
    await this.server.stop();
    rmSync(this.storeDir, { recursive: true, force: true });
  }
}
