import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ensureArtifact, openSearch } from '@cairn/artifacts';
import { fail } from '@cairn/kernel';
import { findJdk, type Jdk } from './find-jdk.js';
import { freePort, onPort } from './free-port.js';
import { pollUntil, supervise, type SupervisedServer, type SupervisorOptions } from './supervise.js';

export interface OpenSearchOptions extends SupervisorOptions {
  /** Configuration, index data, snapshots and the pid file. */
  readonly dataDir: string;
  readonly cacheDir: string;
  /** A free port if 0 or absent. */
  readonly port?: number;
  /** A JDK 21 or newer; if absent, the newest JDK found. */
  readonly javaHome?: string;
}

const HEAP = '512m';
/** A start takes eight seconds on an idle machine, three times as long on a busy one. */
const READY_TIMEOUT_MS = 120_000;
/** `src` and `dist` are both next to `assets`. */
const ASSETS = fileURLToPath(new URL('../assets/opensearch/', import.meta.url));
const CONFIG_FILES = ['opensearch.yml', 'log4j2.properties'];

/** A single OpenSearch node on loopback, without security and bootstrap checks: for tests and development only. */
export const startOpenSearch = async (options: OpenSearchOptions): Promise<SupervisedServer> => {
  const home = resolve(options.dataDir);
  const jdk = findJdk(options.javaHome);
  const jars = await ensureArtifact(openSearch, { cacheDir: options.cacheDir, onProgress: options.log });
  const launcher = await compileLauncher(jdk, jars, options.cacheDir);
  return onPort(options.port, async (port) => {
    const url = `http://127.0.0.1:${port}`;
    const transportPort = await freePort();
    return supervise({
      ...options,
      name: 'opensearch',
      url,
      pidFile: join(home, 'server.pid'),
      readyTimeoutMs: READY_TIMEOUT_MS,
      stopGraceMs: 20_000,
      spawn: () => {
        prepareHome(home);
        const classPath = `${launcher}:${join(jars, '*')}`;
        return {
          file: join(jdk.home, 'bin', 'java'),
          args: [
            ...jvmFlags(jdk, home),
            `-Dosnode.http.port=${port}`,
            `-Dosnode.transport.port=${transportPort}`,
            '-cp',
            classPath,
            'OsNode',
            home,
          ],
        };
      },
      ready: (_child, signal) => pollUntil(() => isGreen(url), signal),
    });
  });
};

const jvmFlags = (jdk: Jdk, home: string): string[] => {
  return [
    `-Xms${HEAP}`,
    `-Xmx${HEAP}`,
    '-XX:+UseSerialGC',
    '-XX:+ExitOnOutOfMemoryError',
    '--enable-native-access=ALL-UNNAMED',
    // Lucene still uses the old interface, which prints warnings or fails from JDK 23 on without this flag.
    ...(jdk.version >= 23 ? ['--sun-misc-unsafe-memory-access=allow'] : []),
    '--add-modules=jdk.incubator.vector',
    `-Djava.io.tmpdir=${join(home, 'tmp')}`,
    '-Dlog4j2.disable.jmx=true',
    '-Dlog4j.shutdownHookEnabled=false',
    `-Dosnode.path.repo=${join(home, 'snapshots')}`,
  ];
};

const prepareHome = (home: string): void => {
  for (const folder of ['config', 'tmp', 'data', 'logs', 'modules', 'plugins', 'snapshots']) {
    mkdirSync(join(home, folder), { recursive: true });
  }
  for (const file of CONFIG_FILES) copyFileSync(join(ASSETS, file), join(home, 'config', file));
};

/** Compiled once per launcher source and OpenSearch version; renamed into place, so that no process sees a partial one. */
const compileLauncher = async (jdk: Jdk, jars: string, cacheDir: string): Promise<string> => {
  const source = join(ASSETS, 'OsNode.java');
  const digest = createHash('sha256')
    .update(readFileSync(source))
    .update(openSearch.version)
    .digest('hex')
    .slice(0, 16);
  const folder = join(cacheDir, `opensearch-launcher-${digest}`);
  if (existsSync(join(folder, 'OsNode.class'))) return folder;
  mkdirSync(cacheDir, { recursive: true });
  const part = mkdtempSync(`${folder}.part-`);
  try {
    const flags = ['-proc:none', '-nowarn', '--release', '21', '-cp', join(jars, '*'), '-d', part, source];
    await promisify(execFile)(join(jdk.home, 'bin', 'javac'), flags);
    if (!existsSync(folder)) renameSync(part, folder);
    return folder;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw fail('opensearch.compile_failed', `javac of ${jdk.home} failed: ${reason}`, {}, cause);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
};

/** A response alone is not enough: after a restart the cluster is red until it has recovered its shards. */
const isGreen = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(`${url}/_cluster/health?wait_for_status=green&timeout=1s`);
    const health = (await response.json()) as { status?: string };
    return response.ok && health.status === 'green';
  } catch {
    return false;
  }
};
