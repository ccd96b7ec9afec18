import { OPLOG_PLACEHOLDER_SUBJECT, OPLOG_STREAM } from '@cairn/contracts';
import { ensureStreams, ForgetLedger, StreamRefill, type LostMessage } from '@cairn/op-log';
import {
  archivedOps,
  countKeyOwners,
  countLostVectors,
  unrecordedForgettings,
  type ArchivedOp,
} from '@cairn/projections';
import { JetStreamKeyStore } from '@cairn/vault';
import type { Engines } from '../connection.js';
import type { Finding } from '../oplog/chain-check.js';
import { verifyOpLog } from '../oplog/verify.js';
import { checkArchive, type CheckedArchive } from './checked-archive.js';
import type { Progress } from './progress.js';
import { checkKek, restoreKeys, type RestoredKeys } from './restore-keys.js';
import { restoreVectors } from './restore-vectors.js';
import { comparePrefix, type StreamPrefix } from './stream-prefix.js';

/** What a repair finds, before it writes anything. */
export interface RepairPlan {
  /** The position at which the log ends. */
  readonly head: number;
  /** Up to here the stream has the archived ops. */
  readonly equalUpTo: number;
  /** Ops to write, and positions that stay empty because their op is forgotten. */
  readonly ops: number;
  readonly erased: number;
  readonly forgettings: number;
  readonly keyOwners: number;
  readonly vectors: number;
}

export interface RepairReport {
  readonly plan: RepairPlan;
  /** Absent in a dry run. */
  readonly done?: {
    readonly forgettings: number;
    readonly keys: RestoredKeys;
    readonly vectors: number;
    readonly findings: readonly Finding[];
  };
}

export interface RepairOptions {
  readonly engines: Engines;
  readonly onProgress: Progress;
}

interface Checked {
  readonly archive: CheckedArchive;
  readonly prefix: StreamPrefix;
  readonly plan: RepairPlan;
}

const oplogRefill = ({ nats }: Engines): StreamRefill =>
  new StreamRefill(nats, OPLOG_STREAM, OPLOG_PLACEHOLDER_SUBJECT);

const planOf = async (
  { pool }: Engines,
  { head, explained }: CheckedArchive,
  { equalUpTo }: StreamPrefix,
): Promise<RepairPlan> => {
  const erased = [...explained.keys()].filter((position) => position > equalUpTo).length;
  return {
    head,
    equalUpTo,
    ops: head - equalUpTo - erased,
    erased,
    forgettings: (await unrecordedForgettings(pool, [])).length,
    keyOwners: await countKeyOwners(pool),
    vectors: await countLostVectors(pool),
  };
};

/** Everything that may refuse the repair. Writes nothing. */
const check = async ({ engines, onProgress }: RepairOptions): Promise<Checked> => {
  const { nats, pool, vault } = engines;
  const archive = await checkArchive(pool, onProgress);
  await checkKek(pool, vault);
  const prefix = await comparePrefix({ nats, pool, stream: oplogRefill(engines), archive, onProgress });
  return { archive, prefix, plan: await planOf(engines, archive, prefix) };
};

const lostOp = ({ position, subject, opId, body }: ArchivedOp): LostMessage => ({ position, subject, body, id: opId });

/** Writes the ops behind the equal part, byte for byte and at their positions. */
const writeOps = async (
  { engines, onProgress }: RepairOptions,
  { archive, prefix }: Pick<Checked, 'archive' | 'prefix'>,
): Promise<void> => {
  const stream = oplogRefill(engines);
  await stream.erase(prefix.forgotten);
  let reached = prefix.equalUpTo;
  for await (const page of archivedOps(engines.pool, reached)) {
    const upTo = page.at(-1)!.position;
    const ops = page.filter(({ position }) => !archive.explained.has(position));
    await stream.write(ops.map(lostOp), reached, upTo);
    reached = upTo;
    onProgress('op-log', reached, archive.head);
  }
};

/** The forgettings of the library that the ledger lacks. Returns how many there were. */
const restoreLedger = async ({ nats, pool }: Engines): Promise<number> => {
  const ledger = new ForgetLedger(nats);
  const { entries } = await ledger.read();
  const missing = await unrecordedForgettings(
    pool,
    entries.map(({ receiptId }) => receiptId),
  );
  await ledger.add(missing);
  return missing.length;
};

export const planRepair = async (options: RepairOptions): Promise<RepairReport> => ({
  plan: (await check(options)).plan,
});

/**
 * Writes the broker's streams from the database: the forget ledger first, so that nothing forgotten can come back, then
 * keys, vectors and the log. The log is last: until it is complete, ingest does not start and the embedder has nothing to
 * do. Killed at any point and run again, it continues.
 */
export const repair = async (options: RepairOptions, replicas: number): Promise<RepairReport> => {
  const { engines, onProgress } = options;
  const { plan, ...checked } = await check(options);
  await ensureStreams(engines.nats, replicas);
  await JetStreamKeyStore.create(engines.nats, replicas);
  const forgettings = await restoreLedger(engines);
  const keys = await restoreKeys({ ...engines, onProgress });
  const vectors = await restoreVectors(engines, onProgress);
  await writeOps(options, checked);
  const { findings } = await verifyOpLog(engines, (done, head) => onProgress('verify', done, head));
  return { plan, done: { forgettings, keys, vectors, findings } };
};
