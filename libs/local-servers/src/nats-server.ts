import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '@cairn/kernel';
import { freePort, onPort } from './free-port.js';
import { findNatsBinary } from './nats-binary.js';
import { pollUntil, supervise, type SupervisedServer, type SupervisorOptions } from './supervise.js';

export interface NatsServerOptions extends SupervisorOptions {
  /** JetStream files, the written configuration and the pid file. */
  readonly storeDir: string;
  /** 0 or absent: a free port; the same for `monitorPort`. */
  readonly port?: number;
  readonly monitorPort?: number;
  /** False lets the disk lag behind acknowledgements: faster, and only right where a power cut may lose data. */
  readonly syncAlways?: boolean;
  /** One of several that replicate among each other; it is healthy once most of them are there. */
  readonly cluster?: NatsClusterNode;
  /** Another binary than the packaged one; its checksum is not checked. */
  readonly binary?: string;
}

export interface NatsClusterNode {
  readonly serverName: string;
  readonly routePort: number;
  /** Of all nodes. */
  readonly routePorts: readonly number[];
}

export interface SupervisedNats extends SupervisedServer {
  readonly monitorUrl: string;
}

/** Expected sequences on a subject filter, which appends rest on, came with 2.12. */
const VERSION_MIN = [2, 12] as const;
/** A soft limit for Go's collector, far above what one machine's log needs. */
const GO_MEMORY_LIMIT = '256MiB';

export async function startNatsServer(options: NatsServerOptions): Promise<SupervisedNats> {
  const binary = options.binary ?? (await findNatsBinary());
  const storeDir = resolve(options.storeDir);
  const syncAlways = options.syncAlways ?? true;
  return onPort(options.port, async (port) => {
    const monitorPort = options.monitorPort || (await freePort());
    const monitorUrl = `http://127.0.0.1:${monitorPort}`;
    const configFile = join(storeDir, 'nats.conf');
    const server = await supervise({
      ...options,
      name: 'nats-server',
      url: `nats://127.0.0.1:${port}`,
      pidFile: join(storeDir, 'server.pid'),
      spawn: () => {
        mkdirSync(storeDir, { recursive: true });
        writeFileSync(configFile, natsConfig({ storeDir, port, monitorPort, syncAlways, cluster: options.cluster }));
        return { file: 'env', args: [`GOMEMLIMIT=${GO_MEMORY_LIMIT}`, binary, '-c', configFile] };
      },
      ready: async (_child, signal) => {
        await pollUntil(() => isHealthy(monitorUrl), signal);
        if (!signal.aborted) await checkServer(monitorUrl, syncAlways);
      },
    });
    return Object.assign(server, { monitorUrl });
  });
}

export interface NatsConfig {
  readonly storeDir: string;
  readonly port: number;
  readonly monitorPort: number;
  readonly syncAlways: boolean;
  readonly cluster?: NatsClusterNode | undefined;
}

const clusterConfig = ({ routePort, routePorts }: NatsClusterNode): string[] => [
  'cluster {',
  '  name: cairn-local',
  `  listen: "127.0.0.1:${routePort}"`,
  `  routes: [${routePorts.map((port) => `"nats://127.0.0.1:${port}"`).join(', ')}]`,
  '}',
];

export function natsConfig({ storeDir, port, monitorPort, syncAlways, cluster }: NatsConfig): string {
  return [
    `server_name: ${cluster?.serverName ?? 'cairn-local'}`,
    `listen: "127.0.0.1:${port}"`,
    `http: "127.0.0.1:${monitorPort}"`,
    // The longest item, read with its text as a whole and in chunks, takes up to 5 MB.
    'max_payload: 8MB',
    'jetstream {',
    `  store_dir: ${JSON.stringify(storeDir)}`,
    // Reserves nothing; a stream that must be bounded says so itself.
    '  max_file_store: 1TB',
    '  max_memory_store: 64MB',
    ...(syncAlways ? ['  sync_interval: always'] : []),
    '}',
    ...(cluster ? clusterConfig(cluster) : []),
    '',
  ].join('\n');
}

/** JetStream has recovered its streams and takes requests. */
async function isHealthy(monitorUrl: string): Promise<boolean> {
  return fetch(`${monitorUrl}/healthz`).then(
    async (response) => (await response.arrayBuffer(), response.ok),
    () => false,
  );
}

async function checkServer(monitorUrl: string, syncAlways: boolean): Promise<void> {
  const varz = (await (await fetch(`${monitorUrl}/varz`)).json()) as {
    version: string;
    jetstream?: { config?: { sync_always?: boolean } };
  };
  const [major = 0, minor = 0] = varz.version.split('.').map(Number);
  if (major < VERSION_MIN[0] || (major === VERSION_MIN[0] && minor < VERSION_MIN[1])) {
    const message = `nats-server ${varz.version} is too old: ${VERSION_MIN.join('.')} or newer is required, 2.14 preferred`;
    throw new AppError('nats.too_old', 'defect', message, { version: varz.version });
  }
  if (syncAlways && varz.jetstream?.config?.sync_always !== true) {
    const message = 'nats-server does not write every message to disk before it acknowledges it, although told to';
    throw new AppError('nats.not_durable', 'defect', message);
  }
}
