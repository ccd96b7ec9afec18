import { Projector, type ProjectionTarget, type StoredOp, type StoredVector } from '@cairn/op-log';
import {
  archiveProjection,
  CHECKPOINT_ONLY,
  CHUNKS_ALIAS,
  chunksIndex,
  createIndexes,
  ensureSlot,
  hashTables,
  lexicalLibrary,
  libraryProjection,
  nextSlotName,
  OpenSearchLexicalWriter,
  OpenSearchTarget,
  postgresLexicalProjection,
  PostgresTarget,
  promoteSlot,
  readSlot,
  vectorsProjection,
  type PostgresProjection,
  type Slot,
  type SlotShape,
} from '@cairn/projections';
import type { Engines } from '../connection.js';
import { RefusedError } from '../exit.js';
import type { Rebuildable } from './rebuildable.js';

export interface RebuildProgress {
  readonly position: number;
  readonly head: number;
  readonly opsPerSecond: number;
}

export interface RebuildReport {
  readonly projection: Rebuildable;
  readonly version: number;
  readonly ops: number;
  readonly seconds: number;
  readonly opsPerSecond: number;
  /** Undefined where the two cannot be compared at one position, because live writes went on. */
  readonly equal: boolean | undefined;
  readonly tables: readonly {
    readonly table: string;
    readonly live: string;
    readonly next: string;
    readonly rows: number;
  }[];
}

const PROGRESS_EVERY_MS = 500;
/**
 * Embedded, nobody is served while an index is built: some 4 s for so many vectors, where a query may take 10 s. What
 * comes after them goes into the index one by one.
 */
const EMBEDDED_INDEX_AFTER = 8_000;

const postgresProjection = (engines: Engines, name: Rebuildable): PostgresProjection<never> => {
  const { vault } = engines;
  const all = {
    library: () => libraryProjection(vault),
    archive: () => archiveProjection,
    lexical: () => postgresLexicalProjection(vault, engines.bm25),
    vectors: () => vectorsProjection(vault),
  };
  return all[name]();
};

const isInOpenSearch = (engines: Engines, name: Rebuildable): boolean =>
  name === 'lexical' && engines.openSearch !== undefined;

const writerOf = ({ openSearch, database, vault, bm25 }: Engines): OpenSearchLexicalWriter =>
  new OpenSearchLexicalWriter(openSearch!, { library: lexicalLibrary(database.pool, vault), bm25 });

const shapeOf = (engines: Engines, name: Rebuildable): SlotShape =>
  isInOpenSearch(engines, name) ? CHECKPOINT_ONLY : postgresProjection(engines, name);

const targetOf = (engines: Engines, name: Rebuildable, slot: string): ProjectionTarget<never> => {
  const { pool } = engines.database;
  if (isInOpenSearch(engines, name)) {
    return new OpenSearchTarget({
      pool,
      vault: engines.vault,
      writer: writerOf(engines),
      slot,
    });
  }
  return new PostgresTarget(pool, [{ projection: postgresProjection(engines, name), slot }]);
};

const projectorOf = (engines: Engines, name: Rebuildable, slot: string): Projector<never> => {
  const target = targetOf(engines, name, slot);
  if (name === 'vectors') {
    return new Projector<StoredVector>(target, (from) => engines.vectors.read(from)) as unknown as Projector<never>;
  }
  return new Projector<StoredOp>(target, (from) => engines.log.read(from)) as unknown as Projector<never>;
};

const liveSlot = async ({ database }: Engines, name: Rebuildable): Promise<Slot> => {
  const live = await readSlot(database.pool, name);
  if (!live) throw new RefusedError(`there is no live projection ${name} yet: start Cairn once`);
  return live;
};

/** The newest vector that live has seen may be erased by now. The newest op never is. */
const headOf = async (engines: Engines, name: Rebuildable): Promise<number> =>
  name === 'vectors'
    ? Math.max(await engines.vectors.head(), (await liveSlot(engines, name)).checkpoint.position)
    : engines.log.head();

/** Nothing is there between the last entry and the head but what was erased. */
const passErased = async ({ database }: Engines, name: Rebuildable, last: number, head: number): Promise<void> => {
  await database.pool.query('update cairn.projections set position = $3 where name = $1 and position = $2', [
    nextSlotName(name),
    last,
    head,
  ]);
};

/** Fills the next version up to the head. Its indexes come up at the end, or earlier if building them took too long then. */
const fill = async (engines: Engines, name: Rebuildable, projector: Projector<never>, head: number): Promise<void> => {
  const { database, isEmbedded } = engines;
  const last = name === 'vectors' ? Math.min(head, await engines.vectors.head()) : head;
  await projector.runTo(isEmbedded ? Math.min(last, EMBEDDED_INDEX_AFTER) : last);
  await createIndexes(database.pool, shapeOf(engines, name), nextSlotName(name));
  await projector.runTo(last);
  if (last < head) await passErased(engines, name, projector.reached, head);
};

const withProgress = async (
  projector: Projector<never>,
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

const compare = async (engines: Engines, name: Rebuildable): Promise<Pick<RebuildReport, 'equal' | 'tables'>> => {
  const { pool } = engines.database;
  const live = await liveSlot(engines, name);
  const next = await readSlot(pool, nextSlotName(name));
  if (live.checkpoint.position !== next?.checkpoint.position) return { equal: undefined, tables: [] };
  if (isInOpenSearch(engines, name)) return compareIndexes(engines, live, next);
  const { tableNames } = postgresProjection(engines, name);
  const [ours, theirs] = [
    await hashTables(pool, name, tableNames),
    await hashTables(pool, nextSlotName(name), tableNames),
  ];
  const tables = ours.map((table, i) => ({
    table: table.table,
    live: table.hash,
    next: theirs[i]!.hash,
    rows: table.rows,
  }));
  return { equal: tables.every((table) => table.live === table.next), tables };
};

/** An index holds no text to hash: its documents are compared by number. */
const compareIndexes = async (
  engines: Engines,
  live: Slot,
  next: Slot,
): Promise<Pick<RebuildReport, 'equal' | 'tables'>> => {
  const writer = writerOf(engines);
  const [ours, theirs] = [await writer.count(chunksIndex(live.version)), await writer.count(chunksIndex(next.version))];
  return {
    equal: ours === theirs,
    tables: [{ table: 'documents', live: String(ours), next: String(theirs), rows: ours }],
  };
};

/** Fills version n+1 beside n from the log. Live goes on untouched; an interrupted rebuild goes on where it stopped. */
export const replay = async (
  engines: Engines,
  name: Rebuildable,
  onProgress: (progress: RebuildProgress) => void,
): Promise<RebuildReport> => {
  const { pool } = engines.database;
  const live = await liveSlot(engines, name);
  const slot = { name: nextSlotName(name), version: live.version + 1, epoch: live.checkpoint.epoch + 1 };
  await ensureSlot(pool, shapeOf(engines, name), slot, { indexes: 'later' });
  const before = (await readSlot(pool, slot.name))!.checkpoint.position;
  const head = await headOf(engines, name);
  const projector = projectorOf(engines, name, slot.name);
  const seconds = await withProgress(projector, head, onProgress, () => fill(engines, name, projector, head));
  const ops = head - before;
  return {
    projection: name,
    version: slot.version,
    ops,
    seconds,
    opsPerSecond: Math.round(ops / seconds),
    ...(await compare(engines, name)),
  };
};

/** Under lasting writes the next version is brought up to date again and again; one of the swaps finds a gap. */
const PROMOTE_ATTEMPTS = 50;

/** Brings version n+1 up to date and puts it in n's place in one step. */
export const promote = async (engines: Engines, name: Rebuildable): Promise<number> => {
  const { pool } = engines.database;
  const next = await readSlot(pool, nextSlotName(name));
  if (!next) throw new RefusedError(`there is nothing to promote: run \`npx cairn oplog replay ${name}\` first`);
  const live = await liveSlot(engines, name);
  for (let attempt = 0; attempt < PROMOTE_ATTEMPTS; attempt++) {
    // A rebuild may have been interrupted: whatever it left undone is done here, so that the swap itself is short.
    const { position } = (await liveSlot(engines, name)).checkpoint;
    await fill(engines, name, projectorOf(engines, name, next.name), position);
    if (!(await promoteSlot(pool, { name, ...shapeOf(engines, name) }, { schemas: !isInOpenSearch(engines, name) })))
      continue;
    if (isInOpenSearch(engines, name)) await swapIndexes(engines, live, next);
    return next.version;
  }
  throw new RefusedError(`${name} is written too fast to be swapped now; try again when there is less to do`);
};

const swapIndexes = async (engines: Engines, live: Slot, next: Slot): Promise<void> => {
  const writer = writerOf(engines);
  await writer.swapAlias(CHUNKS_ALIAS, chunksIndex(next.version));
  await writer.dropIndex(chunksIndex(live.version));
};
