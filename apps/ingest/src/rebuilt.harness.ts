import { setTimeout as sleep } from 'node:timers/promises';
import { OPLOG_STREAM } from '@cairn/contracts';
import { Projector } from '@cairn/op-log';
import {
  dropSlot,
  ensureSlot,
  hashTables,
  homeOf,
  logOf,
  nextSlotName,
  PROJECTIONS,
  readSlot,
  tableNames,
  type Projection,
  type Stores,
  type TableHash,
} from '@cairn/projections';

/** The projections of ops. */
export const OP_PROJECTIONS = PROJECTIONS.filter(({ stream }) => stream === OPLOG_STREAM);

/** Waits until the live version of each projection is at the head of its log. */
export const untilAllFollow = async (
  stores: Stores,
  projections: readonly Projection[] = PROJECTIONS,
): Promise<void> => {
  for (const { name, stream } of projections) {
    const head = await logOf(stores, stream).head();
    while ((await readSlot(stores.pool, name))!.checkpoint.position < head) await sleep(20);
  }
};

/**
 * Does what `cairn oplog replay` does: fills the next version of each projection up to the head, and leaves it there.
 */
export const replayBeside = async (stores: Stores, projections = PROJECTIONS): Promise<void> => {
  for (const projection of projections) {
    const home = homeOf(projection, stores);
    const slot = nextSlotName(projection.name);
    const log = logOf(stores, projection.stream);
    await ensureSlot(stores.pool, home.shape, { name: slot, version: 2, epoch: 2 }, { indexes: 'later' });
    await new Projector(home.target(slot), (from) => log.read(from)).runTo(await log.head());
  }
};

export const dropBeside = async (stores: Stores, projections = PROJECTIONS): Promise<void> => {
  for (const { name } of projections) await dropSlot(stores.pool, nextSlotName(name));
};

export const hashesOf = (
  { pool }: Stores,
  slotOf: (name: string) => string,
  projections: readonly Projection[] = PROJECTIONS,
): Promise<TableHash[][]> =>
  Promise.all(projections.map((projection) => hashTables(pool, slotOf(projection.name), tableNames(projection))));

/** The hashes of all tables, live and rebuilt from the log. */
export const rebuilt = async (stores: Stores, projections = PROJECTIONS) => {
  await untilAllFollow(stores, projections);
  await replayBeside(stores, projections);
  const [live, next] = [
    await hashesOf(stores, (name) => name, projections),
    await hashesOf(stores, nextSlotName, projections),
  ];
  await dropBeside(stores, projections);
  return { live, next };
};
