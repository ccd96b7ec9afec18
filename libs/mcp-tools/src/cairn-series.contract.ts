import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Observation, QueryData } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import type { CairnPort } from './cairn.port.js';
import { errorOf, TestWorkspace, type OpenCairn } from './cairn-workspace.builder.js';

const walk = (day: number, metres: number, more: Partial<Observation> = {}): Observation => ({
  id: `walk-${day}`,
  at: new Date(Date.UTC(2026, 0, day, 23, 30)).toISOString(),
  category: day % 2 === 0 ? 'Hike' : 'Walk',
  metrics: { distance_meters: metres, activities: 1 },
  ...more,
});

/** Days of January and February 2026. */
const WALKS = [walk(1, 100.1), walk(4, 200.2), walk(5, 300), walk(31, 400), walk(32, 500)];

export const describeSeries = (open: OpenCairn): void => {
  let workspace: TestWorkspace;
  let accountId: string;

  const connect = (connectorId = 'strava', folderId?: string) =>
    workspace.admin.command('account.connect', {
      accountId: uuidV7(),
      connectorId,
      label: 'An account',
      ...(folderId !== undefined && { folderId }),
      retention: 'metadata',
      hydrate: true,
      confirm: 'never',
      batchTokensMax: 4_000,
      settings: {},
      multiAccount: true,
    });
  const store = (rows: readonly Observation[], id = accountId) =>
    workspace.admin.command('observations.import', { accountId: id, rows: [...rows] });
  const purge = (more: { before?: string; keepAggregates?: boolean } = {}) =>
    workspace.admin.command('observations.purge', { accountId, keepAggregates: true, ...more });
  const query = (more: Partial<QueryData<'series.query'>> = {}, port: CairnPort = workspace.admin) =>
    port.query('series.query', {
      source: 'strava',
      metric: 'distance_meters',
      range: { from: '2026-01-01', to: '2026-03-01' },
      ...more,
    });

  beforeEach(async () => {
    workspace = await TestWorkspace.create(open);
    ({ accountId } = await connect());
  });

  describe('observations.import and series.query', () => {
    it('return the stored rows, without duplicates when they are stored again', async () => {
      expect(await store(WALKS)).toMatchObject({ rows: 5, duplicates: 0, items: 2 });
      expect(await store(WALKS)).toMatchObject({ rows: 0, duplicates: 5, items: 0 });
      expect(await query()).toMatchObject({
        rows: [{ bucket: 'all', value: 1_500.3, count: 5 }],
        table: 'strava_activities',
        unit: 'm',
        aggregation: 'sum',
        aggregateStatus: 'live',
        rowsLive: 5,
        rowsRollup: 0,
      });
    });

    it('group by day, week, month and category', async () => {
      await store(WALKS);
      const buckets = async (groupBy: string) =>
        (await query({ groupBy })).rows.map(({ bucket, value }) => [bucket, value]);
      expect(await buckets('day')).toContainEqual(['2026-02-01', 500]);
      expect(await buckets('week')).toEqual([
        ['2025-12-29', 300.3],
        ['2026-01-05', 300],
        ['2026-01-26', 900],
      ]);
      expect(await buckets('month')).toEqual([
        ['2026-01', 1_000.3],
        ['2026-02', 500],
      ]);
      expect(await buckets('activity_type')).toEqual([
        ['Walk', 800.1],
        ['Hike', 700.2],
      ]);
    });

    it('aggregate in every supported way', async () => {
      await store(WALKS);
      const values = (['sum', 'avg', 'min', 'max', 'count'] as const).map(
        async (aggregation) => (await query({ aggregation })).rows[0]!.value,
      );
      expect(await Promise.all(values)).toEqual([1_500.3, 300.06, 100.1, 500, 5]);
    });

    it('include the beginning of a range and exclude its end', async () => {
      await store(WALKS);
      const range = { from: '2026-01-04T23:30:00Z', to: '2026-01-31T23:30:00Z' };
      expect((await query({ range })).rows).toEqual([{ bucket: 'all', value: 500.2, count: 2 }]);
    });

    it('count the newest version of a row', async () => {
      await store(WALKS);
      await store([walk(1, 7)]);
      expect((await query()).rows[0]!.value).toBe(1_407.2);
    });

    it('reject each unknown name with its own code', async () => {
      expect(await errorOf(query({ source: 'garmin' }))).toMatchObject({ code: 'series.unknown_source' });
      expect(await errorOf(query({ metric: 'plays' }))).toMatchObject({ code: 'series.unknown_metric' });
      expect(await errorOf(query({ groupBy: 'artist' }))).toMatchObject({ code: 'series.unknown_group' });
      expect(await errorOf(query({ range: { from: '2026-02-01', to: '2026-01-01' } }))).toMatchObject({
        code: 'input.invalid',
        details: { field: 'range.to' },
      });
      expect(await errorOf(store(WALKS, uuidV7()))).toMatchObject({ code: 'account.not_found' });
      const { accountId: folder } = await connect('folder');
      expect(await errorOf(store(WALKS, folder))).toMatchObject({ code: 'series.import_unsupported' });
    });
  });

  describe('observations.purge', () => {
    it('keeps the totals of the removed rows', async () => {
      await store(WALKS);
      const before = await query({ groupBy: 'week' });
      expect(await purge()).toMatchObject({ rows: 5, rollups: 2, more: false });
      const after = await query({ groupBy: 'week' });
      expect(after).toMatchObject({ rows: before.rows, aggregateStatus: 'aggregate_only', rowsLive: 0, rowsRollup: 5 });
      expect(await store(WALKS)).toMatchObject({ rows: 0, duplicates: 5 });
    });

    it('removes only rows before the given time', async () => {
      await store(WALKS);
      expect(await purge({ before: '2026-01-05T00:00:00Z' })).toMatchObject({ rows: 2, rollups: 1 });
      expect(await query()).toMatchObject({ aggregateStatus: 'partial', rowsLive: 3, rowsRollup: 2 });
      expect((await query()).rows[0]!.value).toBe(1_500.3);
    });

    it('counts a row once when an earlier version of it is dated after the time', async () => {
      await store(WALKS);
      await store([{ ...WALKS[4]!, at: WALKS[0]!.at }]);
      const before = await query({ groupBy: 'month' });
      await purge({ before: '2026-02-01T00:00:00Z' });
      expect((await query({ groupBy: 'month' })).rows).toEqual(before.rows);
    });

    it('leaves nothing without the totals', async () => {
      await store(WALKS);
      expect(await purge({ keepAggregates: false })).toMatchObject({ rows: 5, rollups: 0 });
      expect(await query()).toMatchObject({ rows: [], aggregateStatus: 'live' });
      expect(await store(WALKS)).toMatchObject({ rows: 0, duplicates: 5 });
    });
  });

  describe('forgetting a batch', () => {
    it('removes its rows from the series', async () => {
      await store(WALKS);
      const { items } = await workspace.admin.query('items.list', { limit: 10, surface: 'rest', kind: 'observations' });
      expect(items).toHaveLength(2);
      await workspace.admin.command('item.forget', { itemId: items[0]!.id, surface: 'rest' });
      expect((await query()).rows[0]!.value).toBe(1_000.3);
    });
  });

  describe('the series of a folder', () => {
    it('is visible to callers that see the folder, although it is outside the knowledge base', async () => {
      const notes = await workspace.folder('notes');
      const { accountId: other } = await connect('strava', notes);
      await store(WALKS, other);
      await store([walk(40, 1)]);
      const valueFor = async (port: CairnPort) => (await query({}, port)).rows[0]?.value;
      expect(await valueFor(workspace.scopedTo([notes]))).toBe(1_500.3);
      expect(await valueFor(workspace.scopedTo([workspace.inboxId]))).toBe(1);
      expect(await valueFor(workspace.as({ kbOnly: true }))).toBeUndefined();
    });

    it('is not visible over MCP if the folder is sensitive', async () => {
      const vault = await workspace.folder('vault', { tier: 'sensitive' });
      const { accountId: other } = await connect('strava', vault);
      await store(WALKS, other);
      expect((await query()).rows).toEqual([]);
    });
  });
};
