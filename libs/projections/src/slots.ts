import { createHash } from 'node:crypto';
import type { Checkpoint } from '@cairn/op-log';
import type { Pool, PoolClient } from 'pg';

/** A stored version of a projection: `library` is live, `library_next` is being built next to it. */
export interface Slot {
  readonly name: string;
  readonly version: number;
  readonly checkpoint: Checkpoint;
  readonly layout: string | null;
}

export const nextSlotName = (projection: string): string => `${projection}_next`;
/** The copy that a purge makes of live tables, separate from a version that an operator may be building at the time. */
export const rewriteSlotName = (projection: string): string => `${projection}_rewrite`;

/** The version of a build that is not live: being filled, or kept after it was replaced. */
export const besideSlotName = (projection: string, layout: string | null): string =>
  `${projection}_of_${(layout ?? 'unknown').slice(0, 8)}`;

interface SlotRow {
  readonly name: string;
  readonly version: number;
  readonly position: string;
  readonly epoch: number;
  readonly layout: string | null;
}

/** The slots that exist, by name, as they were at one moment. */
export const readSlots = async (pool: Pool, names: readonly string[]): Promise<ReadonlyMap<string, Slot>> => {
  const { rows } = await pool.query<SlotRow>(
    'select name, version, position, epoch, layout from cairn.projections where name = any ($1::text[])',
    [names],
  );
  return new Map(
    rows.map(({ name, version, position, epoch, layout }) => [
      name,
      { name, version, checkpoint: { position: Number(position), epoch }, layout },
    ]),
  );
};

export const readSlot = async (pool: Pool, name: string): Promise<Slot | undefined> =>
  (await readSlots(pool, [name])).get(name);

/**
 * Sets the position of a reader without its own tables; also backwards, if its source was restarted from the beginning.
 */
export const setCheckpoint = async (pool: Pool, name: string, position: number): Promise<void> => {
  await pool.query(
    `insert into cairn.projections (name, version, position, epoch) values ($1, 1, $2, 1)
     on conflict (name) do update set position = excluded.position`,
    [name, position],
  );
};

/** The parts of a slot. Without `tables` it is only a checkpoint: its projection is stored outside Postgres. */
export interface SlotShape {
  readonly tables?: (schema: string) => string;
  readonly indexes: (schema: string) => readonly string[];
  /** Everything else that the content depends on: the version of the handler, the mapping of an index elsewhere. */
  readonly code?: string;
}

export const CHECKPOINT_ONLY: SlotShape = { indexes: () => [] };

/** Identifies what a build writes into a slot; the name of the slot is not part of it. */
export const layoutOf = ({ tables, indexes, code = '' }: SlotShape): string =>
  createHash('sha256')
    .update([tables?.('slot') ?? '', ...indexes('slot'), code].join('\n'))
    .digest('hex');

/** Building an HNSW index that outgrows this becomes as slow as inserting row by row; 40,000 vectors fit. */
const INDEX_MEMORY = '128MB';

export const inTransaction = async <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (thrown) {
    await client.query('rollback').catch(() => undefined);
    throw thrown;
  } finally {
    client.release();
  }
};

const bringUpIndexes = async (client: PoolClient, shape: SlotShape, slot: string): Promise<void> => {
  await client.query(`set local maintenance_work_mem = '${INDEX_MEMORY}'`);
  for (const sql of shape.indexes(slot)) await client.query(sql);
};

/**
 * Creates the tables and the checkpoint of a slot together, or keeps an existing slot unchanged. A slot that an older
 * build laid out differently is recreated, to be filled from the log again; then the result is true. With
 * `indexes: 'later'` it is filled faster; `createIndexes` adds them afterwards, and `promoteSlot` does so if they are
 * still missing.
 */
export const ensureSlot = async (
  pool: Pool,
  shape: SlotShape,
  slot: { readonly name: string; readonly version: number; readonly epoch: number },
  { indexes = 'now' }: { readonly indexes?: 'now' | 'later' } = {},
): Promise<boolean> => {
  const existing = await readSlot(pool, slot.name);
  const layout = layoutOf(shape);
  if (existing?.layout === layout) return false;
  return inTransaction(pool, async (client) => {
    // The row first: when two processes start together, the second waits here and then finds the work done. The epoch
    // fences a process that still writes the old layout.
    const { rowCount } = await client.query(
      `insert into cairn.projections (name, version, position, epoch, layout, applied_at) values ($1, $2, 0, $3, $4, now())
       on conflict (name) do update set position = 0, epoch = projections.epoch + 1, layout = excluded.layout,
         generation = null, rebuilt_to = 0, applied_at = now()
       where projections.layout is distinct from excluded.layout`,
      [slot.name, slot.version, slot.epoch, layout],
    );
    if (rowCount !== 1) return false;
    await client.query(`drop schema if exists ${slot.name} cascade`);
    if (shape.tables) await client.query(shape.tables(slot.name));
    if (indexes === 'now') await bringUpIndexes(client, shape, slot.name);
    return existing !== undefined;
  });
};

/** Creates the indexes of a slot that was created without them, all or none. Repeating it does nothing. */
export const createIndexes = (pool: Pool, shape: SlotShape, slot: string): Promise<void> =>
  inTransaction(pool, (client) => bringUpIndexes(client, shape, slot));

const isBehind = async (client: PoolClient, next: string, live: string): Promise<boolean> => {
  const { rows } = await client.query<{ behind: boolean }>(
    `select n.position < l.position or n.layout is distinct from l.layout as behind
     from cairn.projections n, cairn.projections l where n.name = $1 and l.name = $2`,
    [next, live],
  );
  return rows[0]?.behind !== false;
};

export interface PromoteOptions {
  readonly next?: string;
  /** Remaining work for the moment when no process can write to either version. */
  readonly atLast?: (client: PoolClient) => Promise<void>;
}

/**
 * Replaces the live version by the next one, never without its indexes. Readers see the old version up to the commit and
 * the new one after it; a process that still writes the old one is fenced. False when the live version is ahead, because a
 * swap would then undo acknowledged changes, or when it belongs to another build by now.
 */
export const promoteSlot = (
  pool: Pool,
  projection: SlotShape & { readonly name: string },
  { next = nextSlotName(projection.name), atLast }: PromoteOptions = {},
): Promise<boolean> => {
  const { name } = projection;
  return inTransaction(pool, async (client) => {
    await client.query('lock table cairn.projections in exclusive mode');
    await atLast?.(client);
    if (await isBehind(client, next, name)) return false;
    if (projection.tables) {
      await bringUpIndexes(client, projection, next);
      await client.query(`alter schema ${name} rename to ${name}_old`);
      await client.query(`alter schema ${next} rename to ${name}`);
      await client.query(`drop schema ${name}_old cascade`);
    }
    const { rows } = await client.query<{ epoch: number }>(
      'delete from cairn.projections where name = $1 returning epoch',
      [name],
    );
    await client.query('update cairn.projections set name = $1, epoch = greatest(epoch, $3 + 1) where name = $2', [
      name,
      next,
      rows[0]!.epoch,
    ]);
    return true;
  });
};

/** Drops a version, so that the next start rebuilds it from the log. */
export const dropSlotIn = async (client: PoolClient, name: string): Promise<void> => {
  await client.query('delete from cairn.projections where name = $1', [name]);
  await client.query(`drop schema if exists ${name} cascade`);
};

/** In one step: no tables are left without a checkpoint, where no forgetting would find them. */
export const dropSlot = (pool: Pool, name: string): Promise<void> =>
  inTransaction(pool, (client) => dropSlotIn(client, name));

/** The slots that have tables in Postgres, in the given order. */
export const slotsWithTables = async (client: Pool | PoolClient, slots: readonly string[]): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    'select nspname as name from pg_namespace where nspname = any ($1::text[])',
    [slots],
  );
  return slots.filter((slot) => rows.some(({ name }) => name === slot));
};
