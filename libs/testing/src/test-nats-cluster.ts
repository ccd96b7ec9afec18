import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startNatsServer, type SupervisedNats } from '@cairn/local-servers';

export interface ClusterNode {
  readonly server: SupervisedNats;
  readonly storeDir: string;
}

/** Nats-servers of a test's own that replicate streams among each other, each with its files in a directory of its own. */
export class TestNatsCluster {
  private constructor(
    readonly nodes: readonly ClusterNode[],
    private readonly dir: string,
  ) {}

  static async start(size = 3): Promise<TestNatsCluster> {
    const dir = mkdtempSync(join(tmpdir(), 'cairn-nats-cluster-'));
    const password = randomBytes(24).toString('base64url');
    const routePorts: number[] = [];
    while (routePorts.length < size) routePorts.push(await freePort());
    // All at once: none is healthy before most of them have found each other.
    const nodes = await Promise.all(
      routePorts.map(async (routePort, i) => {
        const storeDir = join(dir, `node-${i}`);
        const cluster = { serverName: `node-${i}`, routePort, routePorts };
        return { storeDir, server: await startNatsServer({ storeDir, cluster, password, log: () => undefined }) };
      }),
    );
    return new TestNatsCluster(nodes, dir);
  }

  /** Of all nodes. */
  get url(): string {
    return this.nodes.map(({ server }) => server.url).join(',');
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map(({ server }) => server.stop()));
    rmSync(this.dir, { recursive: true, force: true });
  }
}
