import { Projector } from '@cairn/op-log';
import {
  createIndexes,
  ensureSlot,
  homeOf,
  layoutOf,
  logOf,
  nextSlotName,
  nextVersion,
  passErased,
  promoteSlot,
  readSlot,
  type Projection,
  type Slot,
  type StreamName,
  type Streams,
  type TableComparison,
} from '@cairn/projections';
import type { Engines } from '../connection.js';
import { RefusedError } from '../exit.js';

export interface RebuildProgress {
  readonly position: number;
  readonly head: number;
  readonly opsPerSecond: number;
}

export interface RebuildReport {
  readonly projection: string;
  readonly version: number;
  readonly ops: number;
  readonly seconds: number;
  readonly opsPerSecond: number;
  /** Undefined if the two cannot be compared at one position, because live writes continued. */
  readonly equal: boolean | undefined;
  readonly tables: readonly TableComparison[];
}

const PROGRESS_EVERY_MS = 500;
/**
 * The embedded database serves no one while it builds an index: about 4 s for this many vectors, and a query may take
 * 10 s. Later vectors are added to the index one by one.
 */
const EMBEDDED_INDEX_AFTER = 8_000;

export const projectorOf = <S extends StreamName>(engines: Engines, projection: Projection<S>, slot: string) => {
  const log = logOf(engines, projection.stream);
  return new Projector<Streams[S]>(homeOf(projection, engines).target(slot), (from) => log.read(from));
};

export type AnyProjector = Pick<Projector<never>, 'runTo' | 'reached'>;

const liveSlot = async ({ pool }: Engines, name: string): Promise<Slot> => {
  const live = await readSlot(pool, name);
  if (!live) throw new RefusedError(`there is no live projection ${name} yet: start Cairn once`);
  return live;
};

/** The live version, if the build of this command writes it too. */
const ownLiveSlot = async (engines: Engines, projection: Projection): Promise<Slot> => {
  const live = await liveSlot(engines, projection.name);
  if (live.layout !== layoutOf(homeOf(projection, engines).shape))
    throw new RefusedError(
      `the live ${projection.name} belongs to another version of Cairn: use the \`cairn\` of the version that runs`,
    );
  return live;
};

/** The newest entry that the live version has seen may be erased by now if it was a vector. The newest op never is. */
export const headOf = async (engines: Engines, { name, stream }: Projection): Promise<number> =>
  Math.max(await logOf(engines, stream).head(), (await readSlot(engines.pool, name))?.checkpoint.position ?? 0);

/**
 * Fills a version up to the head. Its indexes are built at the end, or earlier if building them then would take too
 * long.
 */
export const fill = async (
  engines: Engines,
  projection: Projection,
  slot: string,
  projector: AnyProjector,
  head: number,
): Promise<void> => {
  const last = Math.min(head, await logOf(engines, projection.stream).head());
  await projector.runTo(engines.isEmbedded ? Math.min(last, EMBEDDED_INDEX_AFTER) : last);
  await createIndexes(engines.pool, homeOf(projection, engines).shape, slot);
  await projector.runTo(last);
  if (last < head) await passErased(engines.pool, slot, projector.reached, head);
};

export const withProgress = async (
  projector: AnyProjector,
  head: number,
  onProgress: (progress: RebuildProgress) => void,
  work: () => Promise<void>,
): Promise<number> => {
  const started = performance.now();
  let from = -1;
  const report = (): void => {
    if (projector.reached < 0) return;
    if (from < 0) from = projector.reached;
    const seconds = (performance.now() - started) / 1_000;
    onProgress({ position: projector.reached, head, opsPerSecond: Math.round((projector.reached - from) / seconds) });
  };
  const timer = setInterval(report, PROGRESS_EVERY_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
    report();
  }
  return (performance.now() - started) / 1_000;
};

const compare = async (engines: Engines, projection: Projection): Promise<Pick<RebuildReport, 'equal' | 'tables'>> => {
  const live = await liveSlot(engines, projection.name);
  const next = await readSlot(engines.pool, nextSlotName(projection.name));
  if (live.checkpoint.position !== next?.checkpoint.position) return { equal: undefined, tables: [] };
  const tables = await homeOf(projection, engines).compare(live, next);
  return { equal: tables.every((table) => table.live === table.next), tables };
};

/**
 * Fills version n+1 beside version n from the log. The live version is untouched; an interrupted rebuild resumes where
 * it stopped.
 */
export const replay = async (
  engines: Engines,
  projection: Projection,
  onProgress: (progress: RebuildProgress) => void,
): Promise<RebuildReport> => {
  const { name } = projection;
  const { pool } = engines;
  const live = await ownLiveSlot(engines, projection);
  const slot = {
    name: nextSlotName(name),
    version: await nextVersion(pool, name),
    epoch: live.checkpoint.epoch + 1,
  };
  await ensureSlot(pool, homeOf(projection, engines).shape, slot, { indexes: 'later' });
  const before = (await readSlot(pool, slot.name))!.checkpoint.position;
  const head = await headOf(engines, projection);
  const projector = projectorOf(engines, projection, slot.name);
  const seconds = await withProgress(projector, head, onProgress, () =>
    fill(engines, projection, slot.name, projector, head),
  );
  const ops = head - before;
  return {
    projection: name,
    version: (await readSlot(pool, slot.name))!.version,
    ops,
    seconds,
    opsPerSecond: Math.round(ops / seconds),
    ...(await compare(engines, projection)),
  };
};

/**
 * Under continuous writes, the next version is brought up to date repeatedly until a swap finds a gap between writes.
 */
const PROMOTE_ATTEMPTS = 50;

/** Brings version n+1 up to date and swaps it with version n in one step. */
export const promote = async (engines: Engines, projection: Projection): Promise<number> => {
  const { name } = projection;
  const { pool } = engines;
  const next = await readSlot(pool, nextSlotName(name));
  const live = await ownLiveSlot(engines, projection);
  if (next?.layout !== live.layout)
    throw new RefusedError(`there is nothing to promote: run \`npx cairn oplog replay ${name}\` first`);
  const { shape, outside } = homeOf(projection, engines);
  for (let attempt = 0; attempt < PROMOTE_ATTEMPTS; attempt++) {
    // An interrupted rebuild may have left work undone. It is finished here, so the swap itself is short.
    const { position } = (await liveSlot(engines, name)).checkpoint;
    await fill(engines, projection, next.name, projectorOf(engines, projection, next.name), position);
    if (!(await promoteSlot(pool, { name, ...shape }))) continue;
    await outside?.swapped(next);
    await outside?.drop(live);
    return next.version;
  }
  throw new RefusedError(`${name} is written too fast to be swapped now; try again when there is less to do`);
};
