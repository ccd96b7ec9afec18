import { chmodSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { defaultCacheDir } from '@cairn/artifacts';
import { startCluster, type Cluster, type ServiceProcess } from '@cairn/local-servers';
import { holdsLease } from '@cairn/testing';

const SERVICES = ['ingest', 'search', 'embedder', 'gateway'] as const;
const POLL_MS = 20;
/** By then, every gateway knows every ingest. */
const SETTLE_MS = 1_500;

export interface Scale {
  readonly workDir: string;
  readonly replicasMax: number;
  readonly env: Record<string, string>;
  readonly log: (line: string) => void;
}

/** A cluster whose number of replicas changes between two rounds, on servers and data that stay. */
export class ScaledCluster {
  private running: number;

  private constructor(
    private readonly cluster: Cluster,
    replicas: number,
  ) {
    this.running = replicas;
  }

  static async start({ workDir, replicasMax, env, log }: Scale): Promise<ScaledCluster> {
    const dataDir = join(workDir, 'replicas');
    mkdirSync(dataDir, { recursive: true });
    // Postgres refuses to run as root, and the user it runs as must be able to enter the folders above its data.
    chmodSync(workDir, 0o755);
    const cluster = await startCluster({
      dataDir,
      cacheDir: process.env['CAIRN_CACHE'] ?? defaultCacheDir(homedir()),
      javaHome: process.env['JAVA_HOME'],
      log,
      replicas: replicasMax,
      serviceEnv: { LOG_LEVEL: 'warn', CAIRN_STOP_DELAY_SECONDS: '0', ...env },
    });
    return new ScaledCluster(cluster, replicasMax);
  }

  get ingests(): readonly ServiceProcess[] {
    return this.cluster.replicas.ingest.slice(0, this.running);
  }

  get gateways(): readonly ServiceProcess[] {
    return this.cluster.replicas.gateway.slice(0, this.running);
  }

  get token(): string {
    return this.cluster.token;
  }

  /** Stops or starts replicas of every service until each has this many. */
  async scaleTo(replicas: number): Promise<void> {
    for (const name of SERVICES) {
      const all = this.cluster.replicas[name];
      await Promise.all(all.slice(replicas, this.running).map((replica) => replica.end('SIGTERM')));
      for (const replica of all.slice(this.running, replicas)) await replica.start();
    }
    this.running = replicas;
    await this.holder();
    await delay(SETTLE_MS);
  }

  /** The ingest that runs the projectors, once there is one. */
  async holder(): Promise<ServiceProcess> {
    for (;;) {
      for (const ingest of this.ingests) if (!ingest.app.hasEnded && (await holdsLease(ingest))) return ingest;
      await delay(POLL_MS);
    }
  }

  async workspace(slug: string): Promise<string> {
    const response = await fetch(`${this.cluster.url}/api/v1/workspaces`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ slug, name: slug }),
    });
    const answer = (await response.json()) as { adminToken: string };
    if (response.status !== 201) throw new Error(`no workspace: ${response.status} ${JSON.stringify(answer)}`);
    return answer.adminToken;
  }

  stop(): Promise<void> {
    return this.cluster.stop();
  }
}
