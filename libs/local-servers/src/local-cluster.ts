import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureFirstWorkspace } from '@cairn/auth';
import type { BrokerUser } from '@cairn/contracts';
import { connectNats, natsAccess, Requester } from '@cairn/messaging';
import type { AppProcess } from './app-process.js';
import { newBrokerLogins } from './broker-logins.js';
import { freePort } from './free-port.js';
import { startNativePostgres } from './native-postgres.js';
import { createPostgresRoles, POSTGRES_ROLES } from './postgres-roles.js';
import { startNatsServer } from './nats-server.js';
import { startOpenSearch } from './opensearch.js';
import { ServiceProcess, type ServiceName } from './service-process.js';
import type { SupervisedServer } from './supervise.js';

export interface ClusterOptions {
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** Where downloaded servers are kept. */
  readonly cacheDir: string;
  readonly javaHome?: string | undefined;
  /** Further settings of every service. */
  readonly serviceEnv?: Readonly<Record<string, string>>;
  readonly gatewayPort?: number;
  /** Processes of each service, one by default. */
  readonly replicas?: number;
}

export interface Cluster {
  /** The address of the first gateway, and of its health and metrics. */
  readonly url: string;
  readonly opsUrl: string;
  readonly mcpUrl: string;
  /** Empty when an earlier start on the same data has already shown it. */
  readonly token: string;
  /** The environment of a service, and of the command line. Each has its own user at the broker and its role in Postgres. */
  envOf(user: BrokerUser): Readonly<Record<string, string>>;
  readonly replicas: Readonly<Record<ServiceName, readonly ServiceProcess[]>>;
  /** The first replica of each service. */
  readonly services: Readonly<Record<ServiceName, AppProcess>>;
  /** Broker, database and keyword index. */
  readonly servers: readonly SupervisedServer[];
  /** Restarts the first replica of a service, which has ended, as an orchestrator would. */
  restart(name: ServiceName): Promise<void>;
  stop(): Promise<void>;
}

/** Native Postgres, OpenSearch and nats-server, started in parallel. */
const startServers = async ({ dataDir, cacheDir, javaHome, log }: ClusterOptions) => {
  mkdirSync(dataDir, { recursive: true });
  // Postgres refuses to run as root, and the user it runs as must be able to enter this folder.
  chmodSync(dataDir, 0o755);
  const monitorPort = await freePort();
  const logins = newBrokerLogins(dataDir);
  const [nats, postgres, openSearch] = await Promise.all([
    startNatsServer({ storeDir: join(dataDir, 'nats'), monitorPort, users: logins.passwords, log }),
    startNativePostgres({ dataDir: join(dataDir, 'postgres'), cacheDir, passwordRoles: POSTGRES_ROLES, log }),
    startOpenSearch({
      dataDir: join(dataDir, 'opensearch'),
      cacheDir,
      log,
      ...(javaHome !== undefined && { javaHome }),
    }),
  ]);
  const roles = await createPostgresRoles(postgres, join(dataDir, 'secrets'));
  return { nats, logins, roles, postgres, openSearch, monitorUrl: `http://127.0.0.1:${monitorPort}` };
};

/** The key must be the same at every start on the same data: with another one, nothing could be read. */
const keyOf = (dataDir: string): string => {
  const file = join(dataDir, 'kek');
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
};

const firstToken = async (env: { readonly NATS_URL: string }): Promise<string> => {
  const nats = await connectNats(natsAccess(env), 'cli');
  try {
    const first = await ensureFirstWorkspace(new Requester(nats), { keepToken: () => undefined });
    return first.isNew ? first.token : '';
  } finally {
    await nats.close();
  }
};

const STOP_ORDER = ['gateway', 'search', 'embedder', 'ingest'] as const;
/** How long the start waits for a model; without one, Cairn searches by keywords. */
const MODEL_WAIT_MS = 60_000;

type Replicas = Record<ServiceName, ServiceProcess[]>;

const replicasOf = async (
  envOf: Cluster['envOf'],
  { replicas = 1, serviceEnv = {}, gatewayPort }: ClusterOptions,
): Promise<Replicas> => {
  const several = (name: ServiceName, port?: number) =>
    Promise.all(
      Array.from({ length: replicas }, (_, i) =>
        ServiceProcess.on(name, { ...envOf(name), ...serviceEnv }, i === 0 ? port : undefined),
      ),
    );
  return {
    ingest: await several('ingest'),
    search: await several('search'),
    embedder: await several('embedder'),
    gateway: await several('gateway', gatewayPort),
  };
};

const startServices = async (replicas: Replicas, log: (line: string) => void): Promise<void> => {
  const start = async (name: ServiceName): Promise<void> => {
    for (const replica of replicas[name]) await replica.start();
    log(`${name} is ready`);
  };
  const startEmbedder = async (): Promise<void> => {
    for (const replica of replicas.embedder) replica.launch();
    const ready = replicas.embedder.map((replica) => replica.app.until(() => replica.isReady(), MODEL_WAIT_MS));
    await Promise.all(ready).then(
      () => log('embedder is ready'),
      () => log('embedder has no model yet: searching by keywords'),
    );
  };
  await start('ingest');
  await Promise.all([start('search'), startEmbedder()]);
  await start('gateway');
};

/** The cluster profile on this machine: four service processes against real servers, no containers. */
export const startCluster = async (options: ClusterOptions): Promise<Cluster> => {
  const { nats, logins, roles, postgres, openSearch, monitorUrl } = await startServers(options);
  const shared = {
    NATS_URL: nats.url,
    NATS_MONITOR_URL: monitorUrl,
    OPENSEARCH_URL: openSearch.url,
    CAIRN_KEK: keyOf(options.dataDir),
  };
  const envOf = (user: BrokerUser) => ({
    ...shared,
    ...logins.envOf(user),
    ...roles.envOf(user === 'search' ? 'cairn_search' : 'cairn_ingest'),
  });
  const replicas = await replicasOf(envOf, options);
  const stop = async (): Promise<void> => {
    for (const name of STOP_ORDER) await Promise.all(replicas[name].map((replica) => replica.end('SIGTERM')));
    await Promise.all([openSearch.stop(), postgres.stop()]).then(() => nats.stop());
  };
  const first = (name: ServiceName): ServiceProcess => replicas[name][0]!;
  try {
    await startServices(replicas, options.log);
    const token = await firstToken(envOf('cli'));
    const { url, opsUrl } = first('gateway');
    return {
      ...{ url, opsUrl, mcpUrl: `${url}/mcp`, token, envOf, replicas, stop },
      get services() {
        const apps = STOP_ORDER.map((name) => [name, first(name).app]);
        return Object.fromEntries(apps) as Cluster['services'];
      },
      restart: async (name) => void (await first(name).start()),
      servers: [nats, postgres, openSearch],
    };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
};
