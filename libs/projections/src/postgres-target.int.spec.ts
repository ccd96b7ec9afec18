import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Projector } from '@cairn/op-log';
import { Database } from '@cairn/persistence';
import { TestPglite } from '@cairn/testing';
import type { Pool } from 'pg';
import { hashTables } from './canonical-hash.js';
import { PostgresTarget } from './postgres-target.js';
import type { Handler } from './projection.js';
import { createIndexes, ensureSlot, nextSlotName, promoteSlot, readSlot, type SlotShape } from './slots.js';

interface Entry {
  readonly position: number;
}

const upTo = (last: number, first = 1): Entry[] =>
  Array.from({ length: last - first + 1 }, (_, i) => ({ position: first + i }));

const shapeOf = (name: string): SlotShape & { readonly name: string } => ({
  name,
  tables: (schema) =>
    `create schema ${schema}; create table ${schema}.seen (position bigint primary key, parity int default 0);`,
  indexes: (schema) => [`create index if not exists seen_parity on ${schema}.seen (parity)`],
});

/** Stores the positions it has seen; a repeated one would violate the primary key. */
const numbers = (broken = false): Handler<Entry> => ({
  prepare: (entries) =>
    Promise.resolve((db, schema) => {
      for (const { position } of entries) void db.query(`insert into ${schema}.seen values ($1)`, [position]);
      if (broken) void db.query('select 1 / 0');
    }),
});

let server: TestPglite;
let database: Database;
let pool: Pool;
let tests = 0;
let [one, two] = ['', ''];

beforeAll(async () => {
  server = await TestPglite.start();
  database = await Database.connect({ url: server.url, applicationName: 'test', pipeline: true });
  await database.migrate();
  pool = database.pool;
});
afterAll(async () => {
  await database.close();
  await server.stop();
});
beforeEach(() => {
  tests++;
  [one, two] = [`one_${tests}`, `two_${tests}`];
});

const slotOf = (name: string, epoch = 1): Promise<boolean> =>
  ensureSlot(pool, shapeOf(name), { name, version: 1, epoch });
const target = (...names: string[]): PostgresTarget<Entry> =>
  new PostgresTarget(
    pool,
    names.map((slot) => ({ handler: numbers(), slot })),
  );
const seenBy = async (schema: string): Promise<number[]> => {
  const { rows } = await pool.query<{ position: string }>(`select position from ${schema}.seen order by position`);
  return rows.map(({ position }) => Number(position));
};
const indexesOf = async (schema: string): Promise<string[]> => {
  const { rows } = await pool.query<{ name: string }>(
    'select indexname as name from pg_indexes where schemaname = $1 order by indexname',
    [schema],
  );
  return rows.map(({ name }) => name);
};
const positions = (entries: readonly Entry[]): number[] => entries.map(({ position }) => position);
const checkpointOf = async (name: string): Promise<unknown> => (await readSlot(pool, name))!.checkpoint;

describe('a projection in Postgres', () => {
  it('commits rows and checkpoint together', async () => {
    await slotOf(one);
    const writer = target(one);
    expect(await writer.apply(upTo(3), await writer.checkpoint(), 3)).toBe('applied');
    expect(await writer.apply(upTo(5, 4), await writer.checkpoint(), 5)).toBe('applied');
    expect(await seenBy(one)).toEqual([1, 2, 3, 4, 5]);
    expect(await checkpointOf(one)).toEqual({ position: 5, epoch: 1 });
  });

  it('writes neither rows nor checkpoint when a statement fails, and reports a defect', async () => {
    await slotOf(one);
    const broken = new PostgresTarget(pool, [{ handler: numbers(true), slot: one }]);
    const applying = broken.apply(upTo(3), await broken.checkpoint(), 3);
    await expect(applying).rejects.toMatchObject({ code: 'internal.defect', kind: 'defect' });
    expect(await seenBy(one)).toEqual([]);
    expect(await checkpointOf(one)).toEqual({ position: 0, epoch: 1 });
  });

  it('fences a writer that was overtaken', async () => {
    await slotOf(one);
    const [zombie, live] = [target(one), target(one)];
    const stale = await zombie.checkpoint();
    await live.apply(upTo(2), await live.checkpoint(), 2);
    expect(await zombie.apply(upTo(3), stale, 3)).toBe('fenced');
    expect(await seenBy(one)).toEqual([1, 2]);
  });

  it('applies each entry once when two projectors run concurrently', async () => {
    await slotOf(one);
    const entries = upTo(1_000);
    const read = (from: number) => ({
      next: (max: number) => Promise.resolve(entries.slice(from - 1, (from += Math.min(max, 10)) - 1)),
      close: () => Promise.resolve(),
    });
    const rivals = [new Projector(target(one), read), new Projector(target(one), read)];
    await Promise.all(rivals.map((projector) => projector.runTo(1_000)));
    expect(await seenBy(one)).toEqual(positions(entries));
  });

  it('lets a member that is ahead skip entries that it has already applied', async () => {
    await slotOf(one);
    await slotOf(two);
    const ahead = target(two);
    await ahead.apply(upTo(4), await ahead.checkpoint(), 4);
    const both = target(one, two);
    expect(await both.checkpoint()).toMatchObject({ position: 0 });
    await both.apply(upTo(3), { position: 0, epoch: 0 }, 3);
    await both.apply(upTo(6, 4), { position: 3, epoch: 0 }, 6);
    expect(await seenBy(one)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await seenBy(two)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('prepares an announced batch once, and fails only when it is applied', async () => {
    await slotOf(one);
    const prepared: number[][] = [];
    const handler: Handler<Entry> = {
      prepare: (entries) => {
        prepared.push(positions(entries));
        const failed = entries.some(({ position }) => position === 4) && prepared.length < 3;
        return failed ? Promise.reject(new Error('its key is unavailable')) : numbers().prepare(entries);
      },
    };
    const writer = new PostgresTarget(pool, [{ handler, slot: one }]);
    const [first, second] = [upTo(2), upTo(4, 3)];
    const checkpoint = await writer.checkpoint();
    writer.announce(second);
    expect(await writer.apply(first, checkpoint, 2)).toBe('applied');
    await expect(writer.apply(second, checkpoint, 4)).rejects.toThrow('its key is unavailable');
    expect(await writer.apply(upTo(4, 3), checkpoint, 4)).toBe('applied');
    expect(prepared).toEqual([
      [3, 4],
      [1, 2],
      [3, 4],
    ]);
    expect(await seenBy(one)).toEqual([1, 2, 3, 4]);
  });

  it('fails without its checkpoint row', async () => {
    await expect(target('nowhere').checkpoint()).rejects.toThrow('projection nowhere has no checkpoint row');
  });
});

describe('versions of a projection', () => {
  it('are created once by processes that start together', async () => {
    await Promise.all([slotOf(one), slotOf(one), slotOf(one)]);
    expect(await checkpointOf(one)).toEqual({ position: 0, epoch: 1 });
    expect(await seenBy(one)).toEqual([]);
  });

  it('are swapped in one step, which fences the writer of the old one', async () => {
    const next = nextSlotName(one);
    await slotOf(one);
    await slotOf(next, 2);
    const [old, fresh] = [target(one), target(next)];
    const stale = await old.checkpoint();
    await fresh.apply(upTo(2), await fresh.checkpoint(), 2);
    await promoteSlot(pool, shapeOf(one));
    expect(await seenBy(one)).toEqual([1, 2]);
    expect(await checkpointOf(one)).toEqual({ position: 2, epoch: 2 });
    expect(await readSlot(pool, next)).toBeUndefined();
    expect(await old.apply(upTo(1), stale, 1)).toBe('fenced');
  });

  it.each(['by the rebuild', 'by the swap'])('get the indexes that they were created without, %s', async (how) => {
    const next = nextSlotName(one);
    await slotOf(one);
    await ensureSlot(pool, shapeOf(one), { name: next, version: 2, epoch: 2 }, { indexes: 'later' });
    expect(await indexesOf(next)).toEqual(['seen_pkey']);
    if (how === 'by the rebuild') {
      await createIndexes(pool, shapeOf(one), next);
      await createIndexes(pool, shapeOf(one), next);
      expect(await indexesOf(next)).toEqual(['seen_parity', 'seen_pkey']);
    }
    expect(await promoteSlot(pool, shapeOf(one))).toBe(true);
    expect(await indexesOf(one)).toEqual(['seen_parity', 'seen_pkey']);
  });

  it('are not swapped while the next one is behind, since that would undo acknowledged changes', async () => {
    const next = nextSlotName(one);
    await slotOf(one);
    await slotOf(next, 2);
    const [live, fresh] = [target(one), target(next)];
    await live.apply(upTo(3), await live.checkpoint(), 3);
    await fresh.apply(upTo(2), await fresh.checkpoint(), 2);
    expect(await promoteSlot(pool, shapeOf(one))).toBe(false);
    expect(await seenBy(one)).toEqual([1, 2, 3]);
    await fresh.apply(upTo(3, 3), await fresh.checkpoint(), 3);
    expect(await promoteSlot(pool, shapeOf(one))).toBe(true);
    expect(await checkpointOf(one)).toEqual({ position: 3, epoch: 2 });
  });

  it('are recreated when a build lays them out differently, which fences the writer of the old layout', async () => {
    expect(await slotOf(one)).toBe(false);
    const old = target(one);
    await old.apply(upTo(3), await old.checkpoint(), 3);
    expect(await slotOf(one)).toBe(false);
    expect(await seenBy(one)).toEqual([1, 2, 3]);
    const wider: SlotShape = {
      ...shapeOf(one),
      indexes: (schema) => [`create index if not exists seen_again on ${schema}.seen (parity, position)`],
    };
    const made = () => ensureSlot(pool, wider, { name: one, version: 1, epoch: 1 });
    expect((await Promise.all([made(), made()])).sort()).toEqual([false, true]);
    expect(await seenBy(one)).toEqual([]);
    expect(await indexesOf(one)).toEqual(['seen_again', 'seen_pkey']);
    expect(await checkpointOf(one)).toEqual({ position: 0, epoch: 2 });
    expect(await old.apply(upTo(4, 4), { position: 3, epoch: 1 }, 4)).toBe('fenced');
  });

  it('are not swapped with one of another layout, and never set the epoch back', async () => {
    await slotOf(one, 5);
    const next = { ...shapeOf(one), code: 'another build' };
    await ensureSlot(pool, next, { name: nextSlotName(one), version: 2, epoch: 2 });
    expect(await promoteSlot(pool, next)).toBe(false);
    await ensureSlot(pool, shapeOf(one), { name: nextSlotName(one), version: 2, epoch: 2 });
    expect(await promoteSlot(pool, shapeOf(one))).toBe(true);
    expect(await checkpointOf(one)).toEqual({ position: 0, epoch: 6 });
  });

  it('are not swapped when there is no next one', async () => {
    await slotOf(one);
    expect(await promoteSlot(pool, shapeOf(one))).toBe(false);
    expect(await checkpointOf(one)).toEqual({ position: 0, epoch: 1 });
    expect(await seenBy(one)).toEqual([]);
  });
});

describe('the hash of a read model', () => {
  it('depends on its rows, but not on their order', async () => {
    await slotOf(one);
    await slotOf(two);
    await pool.query(`insert into ${one}.seen values (1), (2), (3)`);
    await pool.query(`insert into ${two}.seen values (3), (1), (2)`);
    const [first] = await hashTables(pool, one, ['seen']);
    expect(first).toMatchObject({ table: 'seen', rows: 3 });
    expect(await hashTables(pool, two, ['seen'])).toEqual([first]);
    await pool.query(`update ${two}.seen set position = 4 where position = 3`);
    expect((await hashTables(pool, two, ['seen']))[0]!.hash).not.toBe(first!.hash);
  });
});
