import { spawnSync } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureArtifact, POSTGRES_BIN_PATH, postgresNative } from '@cairn/artifacts';
import { fail } from '@cairn/kernel';
import pg from 'pg';
import { onPort } from './free-port.js';
import { pollUntil, supervise, type SupervisedServer, type SupervisorOptions } from './supervise.js';
import { runAs, unprivilegedUser, type UnprivilegedUser } from './unprivileged-user.js';

export interface NativePostgresOptions extends SupervisorOptions {
  /** Holds the database (`pgdata`), the Unix socket and the pid file. When started by root, its owner is changed. */
  readonly dataDir: string;
  readonly cacheDir: string;
  /** A free port if 0 or absent. */
  readonly port?: number;
  /** Roles that need their password; every other role is trusted. */
  readonly passwordRoles?: readonly string[];
  /** Further settings of the server, such as `ssl=on`. */
  readonly settings?: readonly string[];
}

export interface NativePostgres extends SupervisedServer {
  /** The folder of `psql` and the other programs of this version. */
  readonly binDir: string;
}

/** The longest folder that works on every system: a Unix socket's path is limited, and Postgres adds its file name. */
const SOCKET_FOLDER_LENGTH_MAX = 80;

/**
 * PostgreSQL with pgvector from the artifact store, for tests and development: a connection from this machine is trusted
 * unless its role needs a password, and no other machine can connect. Extensions are created by migrations.
 */
export const startNativePostgres = async (options: NativePostgresOptions): Promise<NativePostgres> => {
  const dataDir = resolve(options.dataDir);
  const user = unprivilegedUser();
  const artifact = await ensureArtifact(postgresNative(), { cacheDir: options.cacheDir, onProgress: options.log });
  prepareFolder(dataDir, user);
  const bin = reachableBinaries(artifact, dataDir, user);
  const pgdata = join(dataDir, 'pgdata');
  createOnce(bin, pgdata, user);
  writeFileSync(join(pgdata, 'pg_hba.conf'), hostRules(options.passwordRoles ?? []));
  const server = await onPort(options.port, (port) => {
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    return supervise({
      ...options,
      name: 'postgres',
      url,
      pidFile: join(dataDir, 'server.pid'),
      // The "fast" shutdown of Postgres: it ends sessions, whereas SIGTERM would wait for them.
      stopSignal: 'SIGINT',
      spawn: () => ({
        file: join(bin, 'postgres'),
        args: [
          '-D',
          pgdata,
          ...[...settings(dataDir, port), ...(options.settings ?? [])].flatMap((setting) => ['-c', setting]),
        ],
        ...(user ? { runAs: user } : {}),
      }),
      ready: (_child, signal) => pollUntil(() => answers(url), signal),
    });
  });
  return Object.assign(server, { binDir: bin });
};

/** The first rule that matches a connection decides. */
const hostRules = (passwordRoles: readonly string[]): string =>
  [
    ...(passwordRoles.length > 0 ? [`host all ${passwordRoles.join(',')} 127.0.0.1/32 scram-sha-256`] : []),
    'host all all 127.0.0.1/32 trust',
    'local all all trust',
    '',
  ].join('\n');

const settings = (dataDir: string, port: number): string[] => {
  return [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${dataDir.length > SOCKET_FOLDER_LENGTH_MAX ? '' : dataDir}`,
    'max_connections=200',
    // A finished segment is removed: a recycled one would still hold forgotten content.
    'wal_recycle=off',
    // The values of a failed statement are texts and titles, which do not belong in a log.
    'log_parameter_max_length=0',
    'log_parameter_max_length_on_error=0',
  ];
};

const prepareFolder = (dataDir: string, user: UnprivilegedUser | undefined): void => {
  mkdirSync(dataDir, { recursive: true });
  if (!user) return;
  chownSync(dataDir, user.uid, user.gid);
  if (runAs(user, 'test', ['-x', dataDir]).status === 0) return;
  const message =
    `Postgres runs as user "${user.name}" (root may not run it), and that user cannot enter ${dataDir}. ` +
    'Choose a data directory outside closed home folders, or start as a user that is not root.';
  throw fail('postgres.folder_closed', message, { dataDir, user: user.name });
};

/** The cache may be in a home folder that the other user cannot enter; then the installation is copied to `dataDir`. */
const reachableBinaries = (artifact: string, dataDir: string, user: UnprivilegedUser | undefined): string => {
  const bin = join(artifact, POSTGRES_BIN_PATH);
  if (!user || canRun(user, bin)) return bin;
  const copy = join(dataDir, 'install');
  const copiedBin = join(copy, POSTGRES_BIN_PATH);
  if (canRun(user, copiedBin)) return copiedBin;
  const part = `${copy}.part`;
  for (const folder of [part, copy]) rmSync(folder, { recursive: true, force: true });
  cpSync(artifact, part, { recursive: true, verbatimSymlinks: true });
  spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, part]);
  renameSync(part, copy);
  return copiedBin;
};

/** Starting the program would prove nothing: root's rights apply when it is located, but not when its libraries are. */
const canRun = (user: UnprivilegedUser, bin: string): boolean =>
  runAs(user, 'test', ['-x', join(bin, 'initdb')]).status === 0;

/** Created under another name and then renamed, so that an interrupted start leaves no incomplete database. */
const createOnce = (bin: string, pgdata: string, user: UnprivilegedUser | undefined): void => {
  if (existsSync(pgdata)) return;
  const part = `${pgdata}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { mode: 0o700 });
  if (user) chownSync(part, user.uid, user.gid);
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const made = runAs(user, join(bin, 'initdb'), ['-D', part, '-U', 'postgres', '--auth=trust', ...locale]);
  if (made.status !== 0) {
    const message = `initdb could not create ${pgdata}: ${made.error?.message ?? made.stderr}`;
    throw fail('postgres.create_failed', message, { pgdata });
  }
  renameSync(part, pgdata);
};

const answers = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
};
