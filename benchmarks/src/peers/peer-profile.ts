import { chmodSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { defaultCacheDir } from '@cairn/artifacts';
import { startCluster } from '@cairn/local-servers';
import { ClusterHost, StandaloneHost, type Host } from '../host.js';

/** How the measured product runs. */
export interface PeerProfile {
  /** The first part of the id of every line. */
  readonly id: string;
  /** Added to the texts of the lines. */
  readonly suffix: string;
  /** Whether it is what the aims for memory, disk and start were set for: one process on one machine. */
  readonly isStandalone: boolean;
  start(folder: string, env: Record<string, string>, log: (line: string) => void): Promise<Host>;
}

/** Where a standalone of this folder has its data. */
export const homeIn = (folder: string): string => join(folder, 'home');

export const STANDALONE: PeerProfile = {
  id: 'peers',
  suffix: '',
  isStandalone: true,
  start: (folder, env) => StandaloneHost.start(homeIn(folder), env),
};

/** One replica of each service. The id names their number, for lines that measure several. */
export const CLUSTER: PeerProfile = {
  id: 'cluster.replicas-1',
  suffix: ', cluster of 1 replica each',
  isStandalone: false,
  start: async (folder, env, log) => {
    // Postgres refuses to run as root, and the user it runs as must be able to enter the folders above its data.
    for (const closed of [join(folder, '..'), folder]) chmodSync(closed, 0o755);
    const dataDir = join(folder, 'cluster');
    mkdirSync(dataDir, { recursive: true });
    const cluster = await startCluster({
      dataDir,
      cacheDir: process.env['CAIRN_CACHE'] ?? defaultCacheDir(homedir()),
      javaHome: process.env['JAVA_HOME'],
      log,
      serviceEnv: { LOG_LEVEL: 'warn', ...env },
    });
    return new ClusterHost(cluster, dataDir);
  },
};
