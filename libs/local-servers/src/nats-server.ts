import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BROKER_USERS, type BrokerUser } from '@cairn/contracts';
import { fail } from '@cairn/kernel';
import { permissionsConf, permissionsVariable } from '@cairn/messaging';
import { hasRoom, saysNoRoom } from './disk-room.js';
import { onPort } from './free-port.js';
import { findNatsBinary } from './nats-binary.js';
import { newPassword } from './new-password.js';
import { isHealthy, readVarz, type NatsLogin, type NatsVarz } from './nats-probe.js';
import { pollUntil, supervise, type SupervisedServer, type SupervisorOptions } from './supervise.js';

export interface NatsServerOptions extends SupervisorOptions {
  /** JetStream files, the written configuration and the pid file. */
  readonly storeDir: string;
  /** A free port if 0 or absent. */
  readonly port?: number;
  /** If absent, there is no monitoring port, which would answer anyone. */
  readonly monitorPort?: number;
  /** Part of the server's URL; random when absent. The nodes of a cluster share one, as their clients do. */
  readonly password?: string;
  /** Their passwords. Each has the permissions of its service, and there is no user who may do everything. */
  readonly users?: BrokerPasswords;
  /** False lets the disk lag behind acknowledgements: faster, and only acceptable where a power cut may lose data. */
  readonly syncAlways?: boolean;
  /** Set for a node of a cluster that replicates; it is healthy once most of the nodes are running. */
  readonly cluster?: NatsClusterNode;
  /** A binary other than the packaged one; its checksum is not checked. */
  readonly binary?: string;
}

export type BrokerPasswords = Readonly<Record<BrokerUser, string>>;

export interface NatsClusterNode {
  readonly serverName: string;
  readonly routePort: number;
  /** The route ports of all nodes. */
  readonly routePorts: readonly number[];
}

export interface SupervisedNats extends SupervisedServer {
  readonly monitorUrl: string | undefined;
  /** What the server reports about itself. */
  varz(): Promise<NatsVarz>;
}

/** Appends expect the last sequence of a subject filter, which nats-server supports since 2.12. */
const VERSION_MIN = [2, 12] as const;
/** A soft limit for Go's garbage collector, far above the needs of one machine's log. */
const GO_MEMORY_LIMIT = '256MiB';

const CLIENT = 'cairn';
const SYSTEM = 'supervisor';
/** Only the owner may read it, because it holds the passwords. More users can see command lines and environments. */
const CONFIG_MODE = 0o600;

export const startNatsServer = async (options: NatsServerOptions): Promise<SupervisedNats> => {
  const { monitorPort, cluster, syncAlways = true, password = newPassword(), users } = options;
  const binary = options.binary ?? (await findNatsBinary());
  const storeDir = resolve(options.storeDir);
  const systemPassword = newPassword();
  return onPort(options.port, async (port) => {
    const login: NatsLogin = { port, user: SYSTEM, password: systemPassword };
    const config = natsConfig({ storeDir, port, monitorPort, syncAlways, cluster, password, users, systemPassword });
    const server = await supervise({
      ...options,
      name: 'nats-server',
      url: users ? `nats://127.0.0.1:${port}` : `nats://${CLIENT}:${password}@127.0.0.1:${port}`,
      pidFile: join(storeDir, 'server.pid'),
      spawn: () => {
        const configFile = writeConfig(storeDir, config);
        return { file: 'env', args: [`GOMEMLIMIT=${GO_MEMORY_LIMIT}`, binary, '-c', configFile] };
      },
      ready: async (_child, signal) => {
        await pollUntil(() => isHealthy(login), signal);
        if (!signal.aborted) checkServer(await readVarz(login), syncAlways);
      },
      isStuck: isWriteFailure,
      hasRoom: () => hasRoom(storeDir),
    });
    const monitorUrl = monitorPort === undefined ? undefined : `http://127.0.0.1:${monitorPort}`;
    return Object.assign(server, { monitorUrl, varz: () => readVarz(login) });
  });
};

/** After one failed write, a stream repeats the error and acknowledges nothing until the server is restarted. */
const isWriteFailure = (line: string): boolean => /\[(ERR|WRN)\]/.test(line) && saysNoRoom(line);

/** Writing to an existing file keeps its mode, so an older file is removed first. */
const writeConfig = (storeDir: string, config: string): string => {
  const file = join(storeDir, 'nats.conf');
  mkdirSync(storeDir, { recursive: true });
  rmSync(file, { force: true });
  writeFileSync(file, config, { mode: CONFIG_MODE });
  return file;
};

export interface NatsConfig {
  readonly storeDir: string;
  readonly port: number;
  readonly monitorPort?: number | undefined;
  readonly syncAlways: boolean;
  readonly password: string;
  readonly users?: BrokerPasswords | undefined;
  readonly systemPassword: string;
  readonly cluster?: NatsClusterNode | undefined;
}

const clusterConfig = ({ routePort, routePorts }: NatsClusterNode): string[] => [
  'cluster {',
  '  name: cairn-local',
  `  listen: "127.0.0.1:${routePort}"`,
  `  routes: [${routePorts.map((port) => `"nats://127.0.0.1:${port}"`).join(', ')}]`,
  '}',
];

/** As deploy/nats/users.conf does it. */
const perServiceConfig = (passwords: BrokerPasswords): string[] => [
  permissionsConf(),
  'authorization { users: [',
  ...BROKER_USERS.map(
    (user) => `  { user: ${user}, password: "${passwords[user]}", permissions: $${permissionsVariable(user)} }`,
  ),
  '] }',
];

/** Clients belong to the default account, where JetStream keeps the streams of every earlier start. */
const usersConfig = ({ password, users, systemPassword }: NatsConfig): string[] => [
  ...(users ? perServiceConfig(users) : [`authorization { users: [{ user: ${CLIENT}, password: "${password}" }] }`]),
  `accounts { $SYS: { users: [{ user: ${SYSTEM}, password: "${systemPassword}" }] } }`,
];

export const natsConfig = (config: NatsConfig): string => {
  const { storeDir, port, monitorPort, syncAlways, cluster } = config;
  return [
    `server_name: ${cluster?.serverName ?? 'cairn-local'}`,
    `listen: "127.0.0.1:${port}"`,
    ...(monitorPort === undefined ? [] : [`http: "127.0.0.1:${monitorPort}"`]),
    ...usersConfig(config),
    // The longest item, with its text both whole and in chunks, takes up to 5 MB.
    'max_payload: 8MB',
    'jetstream {',
    `  store_dir: ${JSON.stringify(storeDir)}`,
    // Reserves nothing; a stream that must be bounded has its own limit.
    '  max_file_store: 1TB',
    '  max_memory_store: 64MB',
    ...(syncAlways ? ['  sync_interval: always'] : []),
    '}',
    ...(cluster ? clusterConfig(cluster) : []),
    '',
  ].join('\n');
};

const checkServer = (varz: NatsVarz, syncAlways: boolean): void => {
  const [major = 0, minor = 0] = varz.version.split('.').map(Number);
  if (major < VERSION_MIN[0] || (major === VERSION_MIN[0] && minor < VERSION_MIN[1])) {
    const message = `nats-server ${varz.version} is too old: ${VERSION_MIN.join('.')} or newer is required, 2.14 preferred`;
    throw fail('nats.too_old', message, { version: varz.version });
  }
  if (syncAlways && varz.jetstream?.config?.sync_always !== true) {
    const message =
      'nats-server does not write every message to disk before it acknowledges it, although it is configured to';
    throw fail('nats.not_durable', message);
  }
};
