import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PURGED_BATCHES_PER_COMMAND_MAX, type Observation, type Principal } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { IngestUnderTest } from '../ingest-under-test.harness.js';
import { rebuiltAfterRandomHistories } from '../random-history.harness.js';
import { activityOn, connectAccount, distances, imported } from './series-under-test.harness.js';

let ingest: IngestUnderTest;
let admin: Principal;
let accountId: string;

beforeAll(async () => {
  ingest = await IngestUnderTest.start();
}, 60_000);
afterAll(() => ingest.stop());

const newAccount = async (): Promise<void> => {
  admin = await ingest.workspace();
  accountId = await connectAccount(ingest, admin);
};

const store = (...rows: Observation[]) => imported(ingest, admin, accountId, rows);
const purge = (before?: string, keepAggregates = true) =>
  ingest.command(admin, 'observations.purge', { accountId, ...(before && { before }), keepAggregates });

const sum = (rows: readonly Observation[]): number =>
  Math.round(rows.reduce((total, { metrics }) => total + metrics['distance_meters']!, 0) * 1e6) / 1e6;

const total = async (): Promise<number | undefined> => (await distances(ingest, admin)).rows[0]?.value;

const itemsOf = async (kind: string): Promise<{ id: string; chunks: string[] }[]> =>
  (
    await ingest.pool.query<{ id: string; chunks: string[] }>(
      `select i.id, array(select b.chunk_id::text from library.bodies b where b.item_id = i.id order by b.ordinal) as chunks
       from library.items i where i.account_id = $1 and i.kind = $2 order by i.position`,
      [accountId, kind],
    )
  ).rows;

describe('an import', () => {
  it('stores one item per calendar month, outside of the knowledge base', async () => {
    await newAccount();
    const rows = Array.from({ length: 100 }, (_, day) => activityOn(day));
    expect(await store(...rows)).toMatchObject({ rows: 100, duplicates: 0, items: 4 });
    const { rows: items } = await ingest.pool.query(
      `select distinct in_kb, retention, kind, source_kind from library.items where account_id = $1`,
      [accountId],
    );
    expect(items).toEqual([{ in_kb: false, retention: 'metadata', kind: 'observations', source_kind: 'connector' }]);
    expect(await total()).toBe(sum(rows));
  });

  it('adds nothing when it is repeated, and only new rows when there are more', async () => {
    const rows = Array.from({ length: 101 }, (_, day) => activityOn(day));
    expect(await store(...rows)).toMatchObject({ rows: 1, duplicates: 100, items: 1 });
    expect(await store(...rows)).toMatchObject({ rows: 0, duplicates: 101, items: 0 });
    expect(await total()).toBe(sum(rows));
  });

  it('is answered as before when its command is repeated', async () => {
    const data = { accountId, rows: [activityOn(150), activityOn(180)] };
    const id = systemIds.next();
    const first = await ingest.command(admin, 'observations.import', data, id);
    expect(first).toMatchObject({ rows: 2, items: 2 });
    expect(await ingest.command(admin, 'observations.import', data, id)).toEqual(first);
  });

  it('replaces a row that has changed, even if it moved to another month', async () => {
    await newAccount();
    await store(activityOn(0), activityOn(1));
    await store(activityOn(40, 0));
    expect((await distances(ingest, admin, 'month')).rows).toEqual([
      { bucket: '2026-01', value: 1_000.1, count: 1 },
      { bucket: '2026-02', value: 1_004, count: 1 },
    ]);
  });

  it('runs concurrently with itself without duplicating a row', async () => {
    await newAccount();
    const rows = Array.from({ length: 30 }, (_, day) => activityOn(day));
    const answers = await Promise.all([store(...rows), store(...rows), store(...rows)]);
    expect(answers.map((answer) => answer.rows).sort()).toEqual([0, 0, 30]);
    expect(await itemsOf('observations')).toHaveLength(1);
  });

  it('is rejected for an unknown account, a connector without rows and a metric of another table', async () => {
    await expect(imported(ingest, admin, systemIds.next(), [activityOn(0)])).rejects.toMatchObject({
      code: 'account.not_found',
    });
    const folder = await connectAccount(ingest, admin, 'folder');
    await expect(imported(ingest, admin, folder, [activityOn(0)])).rejects.toMatchObject({
      code: 'series.import_unsupported',
    });
    await expect(store({ ...activityOn(900), metrics: { plays: 1 } })).rejects.toMatchObject({ code: 'input.invalid' });
  });
});

describe('a purge', () => {
  const rows = Array.from({ length: 90 }, (_, day) => activityOn(day));

  it('keeps the daily totals and nothing else', async () => {
    await newAccount();
    await store(...rows);
    const before = await distances(ingest, admin, 'week');
    expect(await purge()).toMatchObject({ rows: 90, rollups: 3, more: false });
    const after = await distances(ingest, admin, 'week');
    expect(after.rows).toEqual(before.rows);
    expect([before.aggregateStatus, after.aggregateStatus]).toEqual(['live', 'aggregate_only']);
    expect(await itemsOf('observations')).toEqual([]);
  });

  it('stays effective when the file is imported again', async () => {
    expect(await store(...rows, activityOn(91))).toMatchObject({ rows: 1, duplicates: 90 });
    const { aggregateStatus } = await distances(ingest, admin);
    expect([aggregateStatus, await total()]).toEqual(['partial', sum([...rows, activityOn(91)])]);
  });

  it('up to a time within a month keeps the later rows', async () => {
    await newAccount();
    await store(...rows);
    expect(await purge('2026-02-15T00:00:00Z')).toMatchObject({ rows: 45, rollups: 2 });
    const { rowsLive, rowsRollup, rows: weeks } = await distances(ingest, admin);
    expect([rowsLive, rowsRollup, weeks[0]!.value]).toEqual([45, 45, sum(rows)]);
    expect(await purge('2026-02-15T00:00:00Z')).toMatchObject({ rows: 0, rollups: 0 });
  });

  it('without aggregates leaves no numbers, and the same file cannot bring them back', async () => {
    await newAccount();
    await store(...rows);
    expect(await purge(undefined, false)).toMatchObject({ rows: 90, rollups: 0 });
    expect((await distances(ingest, admin)).rows).toEqual([]);
    expect(await store(...rows)).toMatchObject({ rows: 0, duplicates: 90 });
  });

  it('aggregates only the newest version of a row', async () => {
    await newAccount();
    await store(activityOn(0), activityOn(1));
    await store(activityOn(0, 0, { metrics: { distance_meters: 7, activities: 1 } }));
    await purge();
    expect(await total()).toBe(1_007.1);
  });

  it('counts a row once when an earlier version of it is dated after the time', async () => {
    await newAccount();
    await store(activityOn(40, 'moved'), activityOn(41));
    await store(activityOn(19, 'moved'));
    const before = await distances(ingest, admin, 'month');
    expect(await purge('2026-02-01T00:00:00Z')).toMatchObject({ rows: 1, rollups: 1 });
    expect((await distances(ingest, admin, 'month')).rows).toEqual(before.rows);
    expect(await store(activityOn(40, 'moved'), activityOn(41))).toMatchObject({ rows: 0, duplicates: 2 });
    await purge();
    expect((await distances(ingest, admin, 'month')).rows).toEqual(before.rows);
  });

  it('without aggregates does not make an earlier version of a row visible', async () => {
    await newAccount();
    await store(activityOn(40, 'moved'));
    await store(activityOn(19, 'moved'));
    expect(await purge('2026-02-01T00:00:00Z', false)).toMatchObject({ rows: 1 });
    expect((await distances(ingest, admin)).rows).toEqual([]);
    expect(await itemsOf('observations')).toEqual([]);
  });

  it('in several commands counts a row once after each of them', async () => {
    await newAccount();
    const monthly = Array.from({ length: PURGED_BATCHES_PER_COMMAND_MAX + 2 }, (_, month) =>
      activityOn(0, month, { at: new Date(Date.UTC(2020, month, 5)).toISOString() }),
    );
    await store(...monthly);
    await store({ ...monthly.at(-1)!, at: monthly[0]!.at });
    const all = async () => (await distances(ingest, admin, undefined, { from: '2020-01-01', to: '2027-01-01' })).rows;
    const before = await all();
    for (let more = true; more;) {
      ({ more } = await purge());
      expect(await all()).toEqual(before);
    }
    expect(await itemsOf('observations')).toEqual([]);
  });

  it('issues a receipt for every batch', async () => {
    await newAccount();
    await store(...rows);
    const { receiptIds } = await purge();
    expect(receiptIds).toHaveLength(3);
    for (const receiptId of receiptIds) {
      for (;;) {
        const { rows: found } = await ingest.pool.query<{ shredded: boolean }>(
          'select exists (select from cairn.erasures where receipt_id = $1) as shredded',
          [receiptId],
        );
        if (found[0]!.shredded) break;
      }
    }
  });
});

describe('forgetting', () => {
  it('of one chunk removes its dozen rows from every aggregate', async () => {
    await newAccount();
    const rows = Array.from({ length: 24 }, (_, day) => activityOn(day));
    await store(...rows);
    const [batch] = await itemsOf('observations');
    expect(batch!.chunks).toHaveLength(2);
    await ingest.command(admin, 'chunk.forget', { chunkId: batch!.chunks[0]!, surface: 'rest' });
    expect(await total()).toBe(sum(rows.slice(12)));
    await ingest.command(admin, 'item.forget', { itemId: batch!.id, surface: 'rest' });
    expect((await distances(ingest, admin)).rows).toEqual([]);
  });

  it('before a purge leaves nothing of the chunk in the roll-up; of a roll-up it removes the totals', async () => {
    await newAccount();
    const rows = Array.from({ length: 24 }, (_, day) => activityOn(day));
    await store(...rows);
    const [batch] = await itemsOf('observations');
    await Promise.all([
      ingest.command(admin, 'chunk.forget', { chunkId: batch!.chunks[1]!, surface: 'rest' }),
      purge().catch((thrown: unknown) => {
        expect(thrown).toMatchObject({ code: 'oplog.conflict' });
        return purge();
      }),
    ]);
    const { rowsRollup } = await distances(ingest, admin);
    // In either order: the roll-up holds all rows, or the remaining ones.
    expect([12, 24]).toContain(rowsRollup);
    for (const { id } of await itemsOf('rollup'))
      await ingest.command(admin, 'item.forget', { itemId: id, surface: 'rest' });
    expect((await distances(ingest, admin)).rows).toEqual([]);
  });
});

describe('a reader', () => {
  it('sees only the series of its folders, and none with a token for the knowledge base', async () => {
    await newAccount();
    await store(activityOn(0));
    const scoped = { ...admin, isUnscoped: false, folderIds: [systemIds.next()] };
    expect((await distances(ingest, scoped)).rows).toEqual([]);
    expect((await distances(ingest, { ...admin, kbOnly: true })).rows).toEqual([]);
    expect((await distances(ingest, await ingest.workspace())).rows).toEqual([]);
    const { folders, rows } = await distances(ingest, admin);
    expect([folders.length, rows.length]).toEqual([1, 1]);
  });
});

describe('the substrate tables', () => {
  it('are rebuilt as they are, with purges and forgettings in between', async () => {
    const done = await rebuiltAfterRandomHistories(ingest, {
      kinds: ['import', 'import', 'purge', 'purge', 'forget', 'forget', 'forget chunk', 'correct'],
      stepsMax: 20,
      runs: 4,
      seed: 1,
    });
    expect(done).toEqual(
      expect.arrayContaining(['purge with roll-ups', 'purge without roll-ups', 'forget observations', 'forget rollup']),
    );
  }, 120_000);

  it('are the tables that the manifests declare', async () => {
    await newAccount();
    await store(activityOn(0));
    const { rows } = await ingest.pool.query(
      'select activity_id, started_at, activity_type, distance_meters from substrate.strava_activities where account_id = $1',
      [accountId],
    );
    expect(rows).toEqual([
      {
        activity_id: '0',
        started_at: new Date('2026-01-01T07:00:00Z'),
        activity_type: 'Ride',
        distance_meters: '1000',
      },
    ]);
    await expect(
      ingest.pool.query('select artist, listen_seconds from substrate.tidal_listens'),
    ).resolves.toBeDefined();
  });
});
