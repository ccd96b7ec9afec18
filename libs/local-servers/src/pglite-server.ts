import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AppError, fail } from '@cairn/kernel';
import { launch, type ChildExit, type LaunchCommand, type LaunchedChild } from './child-launch.js';
import { hasRoom, saysNoRoom } from './disk-room.js';
import { onPort } from './free-port.js';
import { newPassword } from './new-password.js';
import { EXIT_CORRUPT } from './pglite-process.js';
import { writePidFile } from './process-identity.js';
import { supervise, type SupervisedServer, type SupervisorOptions } from './supervise.js';

export interface PgliteOptions extends SupervisorOptions {
  /** Holds the database (`pgdata`), the mark of a complete database and the pid file. */
  readonly dataDir: string;
  /** A free port if 0 or absent. */
  readonly port?: number;
}

interface Layout {
  readonly pgdata: string;
  readonly marker: string;
  readonly pidFile: string;
}

const INITIALISED_MARKER = 'cairn-initialised';
const NODE_FLAGS = ['--max-old-space-size=256'];

/**
 * PGlite behind the Postgres protocol, in its own process. A directory whose creation was interrupted is wiped; one that
 * cannot be opened fails with `pglite.corrupt`. PGlite holds only projections, so the caller may then call `wipePglite`
 * and rebuild them from the log.
 */
export const startPglite = async (options: PgliteOptions): Promise<SupervisedServer> => {
  const layout = layoutOf(options.dataDir);
  const password = newPassword();
  return onPort(options.port, (port) =>
    supervise({
      ...options,
      name: 'pglite',
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      pidFile: layout.pidFile,
      spawn: async () => {
        await createOnce(layout, options.log);
        assertComplete(layout.pgdata);
        return command('serve', layout.pgdata, port);
      },
      ready: (child) => untilReadyMessage(child, password),
      explainExit: (exit, lastLines) => explainExit(layout.pgdata, exit, lastLines),
      hasRoom: () => hasRoom(options.dataDir),
    }),
  );
};

/** Deletes the database, for a rebuild. The server must not be running. */
export const wipePglite = (dataDir: string): void => {
  const { marker, pgdata } = layoutOf(dataDir);
  rmSync(marker, { force: true });
  rmSync(pgdata, { recursive: true, force: true });
};

const layoutOf = (dataDir: string): Layout => ({
  pgdata: join(dataDir, 'pgdata'),
  marker: join(dataDir, INITIALISED_MARKER),
  pidFile: join(dataDir, 'server.pid'),
});

/**
 * Creating the database needs a second Postgres instance in the same process, whose memory (about 200 MB) is never
 * released, so a process that ends afterwards does it.
 */
const createOnce = async (layout: Layout, log: (line: string) => void): Promise<void> => {
  if (existsSync(layout.marker)) return;
  rmSync(layout.pgdata, { recursive: true, force: true });
  mkdirSync(layout.pgdata, { recursive: true });
  const child = await launch(command('create', layout.pgdata, 0), (line) => log(`pglite: ${line}`));
  writePidFile(layout.pidFile, child.pid);
  const { code, text } = await child.exited;
  if (code !== 0) {
    const message = `PGlite could not create its database in ${layout.pgdata} (${text}). ${child.lastLines()}`;
    throw fail('pglite.create_failed', message);
  }
  writeFileSync(layout.marker, '');
};

/** Without this file PGlite would silently create an empty database over the rest of the old one. */
const assertComplete = (pgdata: string): void => {
  if (!existsSync(join(pgdata, 'PG_VERSION'))) throw corrupt(pgdata, 'Its file PG_VERSION is missing.');
};

const command = (mode: 'create' | 'serve', pgdata: string, port: number): LaunchCommand => ({
  file: process.execPath,
  args: [...NODE_FLAGS, childProgram(), mode, pgdata, String(port)],
  ipc: true,
});

/** Tests run the sources, but a child process needs compiled code. */
const childProgram = (): string => {
  const folder = import.meta.url.endsWith('.ts') ? '../dist' : '.';
  const program = fileURLToPath(new URL(`${folder}/pglite-child.js`, import.meta.url));
  if (existsSync(program)) return program;
  throw fail('pglite.not_built', `${program} is missing; run "npm run build" first`);
};

const untilReadyMessage = ({ process: child }: LaunchedChild, password: string): Promise<void> => {
  // A child that has ended before it reads this is reported by its exit.
  child.send({ password }, () => undefined);
  return new Promise((resolve) => child.once('message', () => resolve()));
};

const explainExit = (pgdata: string, exit: ChildExit, lastLines: string): AppError | undefined => {
  // On a full disk, a database that does not open may still be intact.
  if (saysNoRoom(lastLines) || !hasRoom(pgdata)) return undefined;
  return exit.code === EXIT_CORRUPT ? corrupt(pgdata, lastLines) : undefined;
};

const corrupt = (pgdata: string, reason: string): AppError => {
  const message = `The PGlite database in ${pgdata} cannot be opened; delete it and rebuild it from the log. ${reason}`;
  return fail('pglite.corrupt', message, { pgdata });
};
