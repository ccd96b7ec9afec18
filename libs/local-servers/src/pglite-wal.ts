import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A segment of the write-ahead log, whatever is written in it. */
const SEGMENT_BYTES = 16 * 1024 * 1024;
const SEGMENT_NAME = /^[0-9A-F]{24}$/;
/**
 * The log may be this large before a checkpoint releases it. A smaller limit would write more, because the first change of a
 * page after a checkpoint logs the whole page.
 */
export const WAL_BYTES_MAX = 128 * 1024 * 1024;
const LOOK_EVERY_MS = 1_000;

const walBytes = (pgdata: string): number =>
  SEGMENT_BYTES * readdirSync(join(pgdata, 'pg_wal')).filter((name) => SEGMENT_NAME.test(name)).length;

/**
 * Requests a checkpoint whenever the write-ahead log has grown. In a Postgres server, a process of its own does this;
 * PGlite has none, so its log would grow for as long as it runs, and be replayed whole after a crash.
 */
export const boundWal = (pgdata: string, checkpoint: () => void): void => {
  setInterval(() => {
    if (walBytes(pgdata) > WAL_BYTES_MAX) checkpoint();
  }, LOOK_EVERY_MS).unref();
};
