import { beforeEach, describe, expect, it } from '@jest/globals';
import { fail } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import { InMemoryCairn } from '../cairn.fake.js';
import type { CairnPort } from '../cairn.port.js';
import { InMemoryPages } from '../page.fake.js';
import { queryTimeseries } from './query-timeseries.tool.js';

const EXAMPLE = {
  source: 'strava',
  metric: 'distance_meters',
  aggregation: 'sum',
  group_by: 'week',
  range: { from: '2026-01-01', to: '2026-05-01' },
};

let cairn: CairnPort;
let accountId: string;

const contextOf = (port: CairnPort) => ({ cairn: port, clock: { now: () => 0 }, pages: new InMemoryPages() });
const call = (args: object, port = cairn) => queryTimeseries.call(args, contextOf(port));
const errorOf = async (args: object): Promise<any> => call(args).catch((thrown: unknown) => thrown);

beforeEach(async () => {
  cairn = new InMemoryCairn().as({ workspaceId: uuidV7(), agentId: 'agent' });
  ({ accountId } = await cairn.command('account.connect', {
    accountId: uuidV7(),
    connectorId: 'strava',
    label: 'Runs',
    retention: 'metadata',
    hydrate: true,
    confirm: 'never',
    batchTokensMax: 4_000,
    settings: {},
    multiAccount: true,
  }));
  const rows = [1, 2, 9].map((day) => ({
    id: String(day),
    at: new Date(Date.UTC(2026, 0, day)).toISOString(),
    category: 'Run',
    metrics: { distance_meters: 1_000 * day, activities: 1 },
  }));
  await cairn.command('observations.import', { accountId, rows });
});

describe('carabase_query_timeseries', () => {
  it('returns rows and names their source', async () => {
    const { text, structured, trailer } = await call(EXAMPLE);
    expect(structured).toEqual({
      rows: [
        { bucket: '2025-12-29', value: 3_000, count: 2 },
        { bucket: '2026-01-05', value: 9_000, count: 1 },
      ],
      metadata: {
        source: 'strava',
        table: 'strava_activities',
        metric: 'distance_meters',
        unit: 'm',
        aggregation: 'sum',
        group_by: 'week',
        range: EXAMPLE.range,
        timezone: 'UTC',
        aggregate_status: 'live',
      },
    });
    expect(text).toContain('2026-01-05 | 9000 | 1');
    expect(trailer).toBeUndefined();
  });

  it('states that rows were purged', async () => {
    await cairn.command('observations.purge', { accountId, keepAggregates: true });
    const { text, structured } = await call(EXAMPLE);
    expect(structured['metadata']).toMatchObject({ aggregate_status: 'aggregate_only' });
    expect(text).toContain('only daily totals are left');
  });

  it.each([
    [{ ...EXAMPLE, range: undefined }, 'range'],
    [{ ...EXAMPLE, range: { from: '2026-01-01' } }, 'range.to'],
    [{ ...EXAMPLE, range: { to: '2026-01-01' } }, 'range.from'],
    [{ ...EXAMPLE, range: { ...EXAMPLE.range, zone: 'CET' } }, 'range.zone'],
    [{ ...EXAMPLE, range: { from: 'yesterday', to: '2026-01-01' } }, 'range.from'],
    [{ ...EXAMPLE, aggregation: 'median' }, 'aggregation'],
    [{ ...EXAMPLE, limit: 3 }, 'limit'],
    [{ ...EXAMPLE, source: '' }, 'source'],
  ])('refuses %j and names %s', async (args, field) => {
    expect(await errorOf(args)).toMatchObject({ code: 'input.invalid', details: { field } });
  });

  it.each([
    [{ source: 'garmin' }, 'series.unknown_source', 'strava, tidal'],
    [{ metric: 'plays' }, 'series.unknown_metric', 'distance_meters'],
    [{ group_by: 'artist' }, 'series.unknown_group', 'activity_type'],
  ])('answers %j with %s, and a call that works', async (wrong, code, known) => {
    const args = { ...EXAMPLE, ...wrong };
    const error = await errorOf(args);
    expect(error.code).toBe(code);
    const trail = (await queryTimeseries.trailOf(error, args))!;
    expect(trail.hint).toMatchObject({ kind: 'timeseriesUnknown', message: expect.stringContaining(known) });
    const [next] = trail.hint.next;
    await expect(call(next!.arguments)).resolves.toMatchObject({ structured: { metadata: { source: 'strava' } } });
  });

  it.each([
    ['earlier', { from: '2026-03-01', to: '2026-04-01' }, { from: '2021-03-16', to: '2031-03-16' }],
    ['later', { from: '2024-02-29', to: '2024-03-01T12:00:00Z' }, { from: '2019-03-01', to: '2029-03-01' }],
  ])('suggests ten years around an empty range, and finds %s rows', async (_, range, wider) => {
    const { structured, trailer } = await call({ ...EXAMPLE, range });
    const hint = structured['hint'] as { kind: string; message: string; next: { arguments: object }[] };
    expect(hint).toMatchObject({
      kind: 'timeseriesNoRows',
      message: expect.stringMatching(/ may see\. Try another range, earlier or later\.$/),
      next: [{ arguments: { ...EXAMPLE, range: wider } }],
    });
    expect(trailer).toMatch(/^\[hint: .*\]\n\[trace: read distance_meters of strava .* → 0 rows\]$/);
    expect((await call(hint.next[0]!.arguments)).structured['rows']).toHaveLength(2);
  });

  it.each([
    ['already has ten years', { from: '2000-01-01', to: '2010-01-01' }],
    ['is next to the first year', { from: '0002-01-01', to: '0003-01-01' }],
    ['is next to the last year', { from: '9998-01-01', to: '9999-01-01' }],
  ])('suggests no range where the empty one %s', async (_, range) => {
    expect((await call({ ...EXAMPLE, range })).structured['hint']).toMatchObject({
      kind: 'timeseriesNoRows',
      next: [],
    });
  });

  it('has a hint when Cairn is unavailable', async () => {
    const error = fail('service.unavailable', 'no');
    const trail = (await queryTimeseries.trailOf(error, EXAMPLE))!;
    expect(trail.hint.kind).toBe('unavailable');
  });
});
