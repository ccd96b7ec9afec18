import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startNatsServer, type SupervisedNats } from '@cairn/local-servers';

export interface ClusterNode {
  readonly server: SupervisedNats;
  readonly storeDir: string;
}

/** Separate nats-servers for a test that replicate streams among each other, each with its own data directory. */
export class TestNatsCluster {
  private constructor(
    readonly nodes: ClusterNode[],
    private readonly routePorts: readonly number[],
    private readonly password: string,
    private readonly dir: string,
  ) {}

  static async start(size = 3): Promise<TestNatsCluster> {
    const dir = mkdtempSync(join(tmpdir(), 'cairn-nats-cluster-'));
    const password = randomBytes(24).toString('base64url');
    const routePorts: number[] = [];
    while (routePorts.length < size) routePorts.push(await freePort());
    const brokers = new TestNatsCluster([], routePorts, password, dir);
    // Starts all of them at once: none is healthy before most of them have found each other.
    brokers.nodes.push(...(await Promise.all(routePorts.map((_, node) => brokers.startNode(node, routePorts)))));
    return brokers;
  }

  /** Adds a node that the running ones do not expect. */
  async grow(): Promise<void> {
    const routePorts = [...this.routePorts, await freePort()];
    this.nodes.push(await this.startNode(this.nodes.length, routePorts));
  }

  private async startNode(node: number, routePorts: readonly number[]): Promise<ClusterNode> {
    const { dir, password } = this;
    const storeDir = join(dir, `node-${node}`);
    const cluster = { serverName: `node-${node}`, routePort: routePorts[node]!, routePorts };
    return { storeDir, server: await startNatsServer({ storeDir, cluster, password, log: () => undefined }) };
  }

  /** The URL of all nodes. */
  get url(): string {
    return this.nodes.map(({ server }) => server.url).join(',');
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map(({ server }) => server.stop()));
    rmSync(this.dir, { recursive: true, force: true });
  }
}
