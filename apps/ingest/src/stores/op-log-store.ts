import { asAppError, OPLOG_STREAM } from '@cairn/contracts';
import { isNoStream } from '@cairn/op-log';
import { readSlot, type Stores } from '@cairn/projections';
import type { WatchedStore } from './store-watch.js';

type LogStores = Pick<Stores, 'pool' | 'log'>;

const WHAT_TO_DO = 'restore it from a backup, or run `cairn oplog repair --from archive`';
const ARCHIVED = 'select body from archive.ops where position = $1';

const headOf = ({ log }: LogStores): Promise<number | undefined> =>
  log.head().catch((thrown: unknown) => {
    if (isNoStream(asAppError(thrown).cause)) return undefined;
    throw thrown;
  });

/** The newest op is never erased, so the log must hold it as the archive does. */
const isInLog = async ({ pool, log }: LogStores, position: number): Promise<boolean> => {
  const { rows } = await pool.query<{ body: Buffer }>(ARCHIVED, [position]);
  // The archive is being rebuilt, or the op was erased after a newer one.
  if (!rows[0]) return true;
  const body = await log.bodyAt(position);
  return body !== undefined && rows[0].body.equals(body);
};

const appliedOps = async ({ pool }: LogStores): Promise<number> =>
  (await readSlot(pool, 'library'))?.checkpoint.position ?? 0;

/**
 * Why this is not the log that the database was made from, and what to do; undefined if it is. Writing to another log, or
 * to an earlier state of it, would fork history.
 */
export const opLogProblem = async (stores: LogStores): Promise<string | undefined> => {
  const applied = await appliedOps(stores);
  if (applied === 0) return undefined;
  const head = await headOf(stores);
  if (head === undefined) return `${OPLOG_STREAM} does not exist any more: ${WHAT_TO_DO}`;
  if (head < applied)
    return `the op-log ends at ${head}, but the database has applied it up to ${applied}, so it was set back or replaced: ${WHAT_TO_DO}`;
  // A second look, since newer ops may have followed and this one may have been erased in between.
  if ((await isInLog(stores, applied)) || (await isInLog(stores, await appliedOps(stores)))) return undefined;
  return `the op-log does not hold the ops that the database was made from: ${WHAT_TO_DO}`;
};

/** Not restored by itself: what a log has lost is only known to its backup and to the archive. */
export const opLogStore = (stores: LogStores): WatchedStore => ({
  name: OPLOG_STREAM,
  inspect: async () => {
    const problem = await opLogProblem(stores);
    return { isLost: problem !== undefined, problem };
  },
});
