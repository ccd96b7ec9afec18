/**
 * The program of the PGlite process: opens the data directory and serves it on a loopback port. Started with a message
 * channel by `startPglite`; arguments are the mode, the directory and the port. The password comes as a message, since
 * arguments are shown to every user of the machine. Exit codes are read by the parent.
 */
import { once } from 'node:events';
import { PGlite } from '@electric-sql/pglite';
import { pg_textsearch } from '@electric-sql/pglite-pg_textsearch';
import { vector } from '@electric-sql/pglite-pgvector';
import { removeLeftovers } from './pglite-leftovers.js';
import { EXIT_CORRUPT, EXIT_FAILED, PGLITE_SETTINGS } from './pglite-process.js';
import { boundWal } from './pglite-wal.js';
import { PgliteWireServer } from './pglite-wire-server.js';

const CONNECTIONS_MAX = 50;
const [mode, dataDir = '', port = '0'] = process.argv.slice(2);

// Without its parent, nothing would restart, stop or even know this process, and two such processes destroy the data.
process.on('disconnect', () => process.exit(EXIT_FAILED));

/**
 * PGlite has one backend, and a fatal error ends it: from then on the process would answer nothing, or spin forever.
 * `COPY … FROM STDIN` is such a case. The process exits, because the parent starts a new one within a second.
 */
const dieWithBackend = (text: string): boolean => {
  process.stderr.write(`${text}\n`);
  if (/\b(FATAL|PANIC):|^Aborted\(/m.test(text)) process.exit(EXIT_CORRUPT);
  return false;
};

const open = async (): Promise<PGlite> => {
  const startParams = [...PGlite.defaultStartParams, ...PGLITE_SETTINGS.flatMap((setting) => ['-c', setting])];
  // A directory that was created with an extension can only be opened with it, so both are always loaded.
  const extensions = { vector, pg_textsearch };
  return PGlite.create({ dataDir, extensions, startParams, onStderr: dieWithBackend });
};

const fail = (error: unknown): never => {
  console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const isSystemError = error instanceof Error && 'syscall' in error;
  process.exit(isSystemError ? EXIT_FAILED : EXIT_CORRUPT);
};

const message = once(process, 'message') as Promise<[{ readonly password: string }]>;
const db = await open().catch(fail);
if (mode === 'create') {
  await db.close();
  process.exit(0);
}
await removeLeftovers(db, dataDir).catch(fail);
const [{ password }] = await message;
const server = new PgliteWireServer({
  db,
  host: '127.0.0.1',
  port: Number(port),
  connectionsMax: CONNECTIONS_MAX,
  password,
});
await server.listen().catch(fail);
boundWal(dataDir, () => server.checkpoint());
process.once('SIGTERM', () => {
  void server
    .close()
    .then(() => db.close())
    .then(() => process.exit(0), fail);
});
process.send?.('ready');
