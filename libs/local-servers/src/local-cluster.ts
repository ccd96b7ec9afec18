import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureFirstWorkspace } from '@cairn/auth';
import { connectNats, Requester } from '@cairn/messaging';
import { answersOk, AppProcess } from './app-process.js';
import { freePort } from './free-port.js';
import { startNativePostgres } from './native-postgres.js';
import { startNatsServer } from './nats-server.js';
import { startOpenSearch } from './opensearch.js';

export interface ClusterOptions {
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** Where downloaded servers are kept. */
  readonly cacheDir: string;
  readonly javaHome?: string | undefined;
  /** Further settings of the gateway. */
  readonly gatewayEnv?: Readonly<Record<string, string>>;
  readonly gatewayPort?: number;
}

export type ServiceName = 'gateway' | 'ingest' | 'search' | 'embedder';

export interface Cluster {
  readonly url: string;
  readonly mcpUrl: string;
  /** Empty when an earlier start on the same data has already shown it. */
  readonly token: string;
  readonly env: Readonly<Record<string, string>>;
  readonly services: Readonly<Record<ServiceName, AppProcess>>;
  /** Restarts a service that has ended, as an orchestrator would. */
  restart(name: ServiceName): Promise<void>;
  stop(): Promise<void>;
}

/** Native Postgres, OpenSearch and nats-server, started in parallel. */
const startServers = async ({ dataDir, cacheDir, javaHome, log }: ClusterOptions) => {
  mkdirSync(dataDir, { recursive: true });
  // Postgres refuses to run as root, and the user it runs as must be able to enter this folder.
  chmodSync(dataDir, 0o755);
  const monitorPort = await freePort();
  const [nats, postgres, openSearch] = await Promise.all([
    startNatsServer({ storeDir: join(dataDir, 'nats'), monitorPort, log }),
    startNativePostgres({ dataDir: join(dataDir, 'postgres'), cacheDir, log }),
    startOpenSearch({
      dataDir: join(dataDir, 'opensearch'),
      cacheDir,
      log,
      ...(javaHome !== undefined && { javaHome }),
    }),
  ]);
  return { nats, postgres, openSearch, monitorUrl: `http://127.0.0.1:${monitorPort}` };
};

/** The key must be the same at every start on the same data: with another one, nothing could be read. */
const keyOf = (dataDir: string): string => {
  const file = join(dataDir, 'kek');
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
};

const firstToken = async (natsUrl: string): Promise<string> => {
  const nats = await connectNats(natsUrl, 'cluster-start');
  try {
    const first = await ensureFirstWorkspace(new Requester(nats), { keepToken: () => undefined });
    return first.isNew ? first.token : '';
  } finally {
    await nats.close();
  }
};

/** The cluster profile on this machine: four service processes against real servers, no containers. */
export const startCluster = async (options: ClusterOptions): Promise<Cluster> => {
  const { nats, postgres, openSearch, monitorUrl } = await startServers(options);
  const stopServers = () => Promise.all([openSearch.stop(), postgres.stop()]).then(() => nats.stop());
  const env = {
    NATS_URL: nats.url,
    NATS_MONITOR_URL: monitorUrl,
    DATABASE_URL: postgres.url,
    OPENSEARCH_URL: openSearch.url,
    CAIRN_KEK: keyOf(options.dataDir),
  };
  const services: Partial<Record<ServiceName, AppProcess>> = {};
  const gatewayPort = options.gatewayPort ?? (await freePort());
  const url = `http://127.0.0.1:${gatewayPort}`;
  const start = async (name: ServiceName): Promise<void> => {
    const port = name === 'gateway' ? gatewayPort : await freePort();
    const own = { CAIRN_OPS_PORT: String(port), CAIRN_PORT: String(gatewayPort), ...options.gatewayEnv };
    const app = AppProcess.start(name, { ...env, ...own });
    services[name] = app;
    await app.until(() => answersOk(`http://127.0.0.1:${port}/readyz`));
    options.log(`${name} is ready`);
  };
  const stop = async (): Promise<void> => {
    for (const name of ['gateway', 'search', 'embedder', 'ingest'] as const) await services[name]?.end('SIGTERM');
    await stopServers();
  };
  try {
    await start('ingest');
    await Promise.all([start('search'), start('embedder')]);
    await start('gateway');
    const token = await firstToken(nats.url);
    return { url, mcpUrl: `${url}/mcp`, token, env, services: services as Cluster['services'], restart: start, stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
};
