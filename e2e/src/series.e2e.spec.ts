import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, ERAS, newToken, newWorkspace, rest, upload, type ToolClient } from './under-test.js';

const EXAMPLE = {
  source: 'strava',
  metric: 'distance_meters',
  aggregation: 'sum',
  group_by: 'week',
  range: { from: '2026-01-01', to: '2026-05-01' },
};

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 1, 17, 4, 5);
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'];

interface Activity {
  readonly id: number;
  readonly atMs: number;
  readonly type: string;
  readonly metres: number;
}

/** Every other day, into the month after the range: rows outside of it must not count. */
const ACTIVITIES: readonly Activity[] = Array.from({ length: 66 }, (_, i) => ({
  id: 9_000_000_000 + i,
  atMs: START_MS + 2 * i * DAY_MS,
  type: i % 3 === 0 ? 'Ride' : 'Run',
  metres: 5_000 + i / 4,
}));

/** The format of an export: the distance in kilometres and in metres, times in words. */
const dateInWords = (ms: number): string => {
  const at = new Date(ms);
  const hours = at.getUTCHours();
  const clock = [
    hours % 12 || 12,
    String(at.getUTCMinutes()).padStart(2, '0'),
    String(at.getUTCSeconds()).padStart(2, '0'),
  ];
  return `${MONTHS[at.getUTCMonth()]} ${at.getUTCDate()}, ${at.getUTCFullYear()}, ${clock.join(':')} ${hours < 12 ? 'AM' : 'PM'}`;
};

const HEADER = 'Activity ID,Activity Date,Activity Name,Activity Type,Distance,Moving Time,Elevation Gain,Distance';
const csv = (activities: readonly Activity[]): string =>
  [
    HEADER,
    ...activities.map(
      ({ id, atMs, type, metres }) =>
        `${id},"${dateInWords(atMs)}","A ""fine"" day",${type},${metres / 1_000},1800,12,${metres}`,
    ),
    '',
  ].join('\r\n');

const mondayOf = (ms: number): string => {
  const day = Math.floor(ms / DAY_MS);
  return new Date((day - ((day + 3) % 7)) * DAY_MS).toISOString().slice(0, 10);
};

const LISTENS = [
  { id: 'a', listened_at: '2026-01-05T10:00:00Z', artist: 'Nina Simone', listen_seconds: 180 },
  { id: 'b', listened_at: '2026-01-06T10:00:00Z', artist: 'Nina Simone', listen_seconds: 60.5 },
  { id: 'c', listened_at: '2026-02-06T10:00:00Z', artist: 'Alice Coltrane', listen_seconds: 600 },
];

let admin: string;
let reader: string;
let strava: string;
const clients = new Map<string, ToolClient>();

const account = async (connectorId: string, more: object = {}): Promise<string> => {
  const { body } = await rest(admin, 'POST', '/accounts', { connectorId, label: 'Mine', ...more });
  return body.id;
};
const importFile = (id: string, name: string, content: string, headers = {}) =>
  upload(admin, `/accounts/${id}/import`, [name, content], headers);
const purge = (id: string, body: object = {}) => rest(admin, 'POST', `/accounts/${id}/purge`, body);

const query = async (args: object, era = ERAS[0]!): Promise<any> => {
  const client = clients.get(era) ?? (await connect(reader, era));
  clients.set(era, client);
  return client.call('carabase_query_timeseries', args as Record<string, unknown>);
};
const answered = async (args: object, era?: string): Promise<any> => {
  const { isError, structuredContent } = await query(args, era);
  expect([isError ?? false, structuredContent.message]).toEqual([false, undefined]);
  return structuredContent;
};

beforeAll(async () => {
  admin = (await newWorkspace()).token;
  reader = await newToken(admin, { scopes: ['graph:read'] });
  strava = await account('strava');
  const { status, body } = await importFile(strava, 'activities.csv', csv(ACTIVITIES));
  expect([status, body]).toEqual([200, { rows: 66, duplicates: 0, items: 5, position: expect.any(Number) }]);
  const tidal = await account('tidal');
  await importFile(tidal, 'listens.json', JSON.stringify(LISTENS));
}, 60_000);
afterAll(() => Promise.all([...clients.values()].map((client) => client.close())));

const inRange = ACTIVITIES.filter(({ atMs }) => atMs < Date.UTC(2026, 4, 1));
const sum = (activities: readonly Activity[]): number => activities.reduce((total, { metres }) => total + metres, 0);

describe.each(ERAS)('carabase_query_timeseries in the %s', (era) => {
  it('[C-29] [C-35] reproduces the published example, and its sums equal the raw rows', async () => {
    const { rows, metadata, hint } = await answered(EXAMPLE, era);
    const weeks = [...new Set(inRange.map(({ atMs }) => mondayOf(atMs)))];
    expect(rows).toEqual(
      weeks.map((bucket) => {
        const own = inRange.filter(({ atMs }) => mondayOf(atMs) === bucket);
        return { bucket, value: sum(own), count: own.length };
      }),
    );
    expect(metadata).toEqual({
      source: 'strava',
      table: 'strava_activities',
      metric: 'distance_meters',
      unit: 'm',
      aggregation: 'sum',
      group_by: 'week',
      range: EXAMPLE.range,
      timezone: 'UTC',
      aggregate_status: 'live',
    });
    expect(hint).toBeUndefined();
  });

  it('[C-27] reads the tables of both sources', async () => {
    const { rows, metadata } = await answered(
      { source: 'tidal', metric: 'listen_seconds', group_by: 'artist', range: EXAMPLE.range },
      era,
    );
    expect(metadata.table).toBe('tidal_listens');
    expect(rows).toEqual([
      { bucket: 'Alice Coltrane', value: 600, count: 1 },
      { bucket: 'Nina Simone', value: 240.5, count: 2 },
    ]);
  });

  it('[C-30] requires both ends of the range, and names the missing one', async () => {
    for (const [range, field] of [
      [{ from: '2026-01-01' }, 'range.to'],
      [{ to: '2026-01-01' }, 'range.from'],
      [undefined, 'range'],
    ] as const) {
      const { isError, structuredContent } = await query({ ...EXAMPLE, range }, era);
      expect([isError, structuredContent.code, structuredContent.field]).toEqual([true, 'input.invalid', field]);
      expect(structuredContent.hint.kind).toBe('invalidArguments');
    }
  });
});

describe('carabase_query_timeseries', () => {
  it('[C-28] rejects a source that no manifest declares, and lists the declared ones', async () => {
    const { isError, structuredContent, content } = await query({ ...EXAMPLE, source: 'folder' });
    expect([isError, structuredContent.code]).toEqual([true, 'series.unknown_source']);
    expect(structuredContent.hint).toMatchObject({ kind: 'timeseriesUnknown' });
    expect(structuredContent.hint.message).toContain('strava, tidal');
    expect(content.at(-1).text).toMatch(/^\[hint: .*\]\n\[trace: .*\]$/);
    const { tool, arguments: args } = structuredContent.hint.next[0];
    expect([tool, (await answered(args)).metadata.source]).toEqual(['carabase_query_timeseries', 'strava']);
    const { body } = await rest(admin, 'GET', '/connectors');
    const declared = body.items.filter(({ substrateTable }: any) => substrateTable);
    expect(declared.map(({ id, substrateTable }: any) => [id, substrateTable.name])).toEqual([
      ['strava', 'strava_activities'],
      ['tidal', 'tidal_listens'],
    ]);
  });

  it('rejects a metric of another table', async () => {
    const { structuredContent } = await query({ ...EXAMPLE, metric: 'plays' });
    expect(structuredContent).toMatchObject({ code: 'series.unknown_metric', field: 'metric' });
  });

  it('[C-31] groups by day, week and month', async () => {
    const buckets = async (group_by: string) =>
      (await answered({ ...EXAMPLE, group_by })).rows.map(({ bucket }: any) => bucket);
    expect((await buckets('day')).length).toBe(inRange.length);
    expect((await buckets('week'))[0]).toBe('2025-12-29');
    expect(await buckets('month')).toEqual(['2026-01', '2026-02', '2026-03', '2026-04']);
  });

  it('[C-32] groups by the category of the source, and by no other column', async () => {
    const { rows } = await answered({ ...EXAMPLE, group_by: 'activity_type' });
    const of = (type: string) => inRange.filter((activity) => activity.type === type);
    expect(rows).toEqual(
      ['Run', 'Ride'].map((bucket) => ({ bucket, value: sum(of(bucket)), count: of(bucket).length })),
    );
    for (const group_by of ['artist', 'year', 'activity_id', 'started_at']) {
      const { structuredContent } = await query({ ...EXAMPLE, group_by });
      expect(structuredContent).toMatchObject({ code: 'series.unknown_group', field: 'group_by' });
    }
  });

  it('[C-33] uses the aggregation of the metric by default', async () => {
    const { aggregation: _, group_by: __, ...bare } = EXAMPLE;
    expect(await answered(bare)).toMatchObject({
      rows: [{ bucket: 'all', value: sum(inRange), count: inRange.length }],
      metadata: { aggregation: 'sum', group_by: null },
    });
    const of = async (aggregation: string) => (await answered({ ...bare, aggregation })).rows[0].value;
    expect(await of('avg')).toBeCloseTo(sum(inRange) / inRange.length, 9);
    expect([await of('min'), await of('max'), await of('count')]).toEqual([5_000, 5_000 + 59 / 4, 60]);
    const refused = await query({ ...bare, aggregation: 'median' });
    expect(refused.structuredContent).toMatchObject({ code: 'input.invalid', field: 'aggregation' });
  });

  it('answers an empty range with a hint', async () => {
    const { rows, hint, trace } = await answered({ ...EXAMPLE, range: { from: '2020-01-01', to: '2020-02-01' } });
    expect([rows, hint.kind]).toEqual([[], 'timeseriesNoRows']);
    expect(trace).toMatchObject({ source: 'strava', metric: 'distance_meters', rows_live: 0, rows_rollup: 0 });
  });

  it('answers under its bare name, which is not listed', async () => {
    const client = await connect(reader);
    const { structuredContent } = await client.call('query_timeseries', EXAMPLE);
    expect(structuredContent).toEqual(await answered(EXAMPLE));
    const names = (await client.listTools()).map(({ name }) => name);
    await client.close();
    expect([names.includes('carabase_query_timeseries'), names.includes('query_timeseries')]).toEqual([true, false]);
  });

  it('shows nothing to a token limited to the knowledge base', async () => {
    const kbOnly = await newToken(admin, { scopes: ['graph:read'], kbOnly: true });
    const client = await connect(kbOnly);
    const { structuredContent } = await client.call('carabase_query_timeseries', EXAMPLE);
    await client.close();
    expect(structuredContent['rows']).toEqual([]);
  });
});

describe('an import', () => {
  it('duplicates nothing when it is sent again, and answers a repeated key as the first time', async () => {
    const id = await account('strava', { label: 'Again' });
    const key = { 'idempotency-key': randomUUID() };
    const first = await importFile(id, 'a.csv', csv(ACTIVITIES.slice(0, 20)), key);
    expect(first.body).toMatchObject({ rows: 20, duplicates: 0 });
    expect((await importFile(id, 'a.csv', csv(ACTIVITIES.slice(0, 20)), key)).body).toEqual(first.body);
    expect((await importFile(id, 'a.csv', csv(ACTIVITIES.slice(0, 25)))).body).toMatchObject({
      rows: 5,
      duplicates: 20,
    });
    await purge(id, { keepAggregates: false });
  });

  it('of more rows than one command accepts is several commands', async () => {
    const id = await account('tidal', { label: 'Many' });
    const lines = Array.from({ length: 5_200 }, (_, i) => {
      const at = new Date(Date.UTC(2024, 0, 1) + i * 3_600_000).toISOString();
      return `m${i},${at},Artist ${i % 50},1.5`;
    });
    const file = ['id,listened_at,artist,listen_seconds', ...lines].join('\n');
    expect((await importFile(id, 'many.csv', file)).body).toMatchObject({ rows: 5_200, duplicates: 0 });
    const range = { from: '2024-01-01', to: '2025-01-01' };
    const { rows } = await answered({ source: 'tidal', metric: 'listen_seconds', range });
    expect(rows).toEqual([{ bucket: 'all', value: 7_800, count: 5_200 }]);
    expect((await importFile(id, 'many.csv', file)).body).toMatchObject({ rows: 0, duplicates: 5_200, items: 0 });
    expect((await purge(id)).body).toMatchObject({ rows: 5_200, rollups: expect.any(Number) });
  }, 60_000);

  it.each([
    ['a.csv', 'Foo,Bar\n1,2\n', /there is no column "Activity ID"/],
    ['a.csv', csv(ACTIVITIES.slice(0, 2)).replace('5000.25', '-1'), /row 3, column "Distance": must not be negative/],
    ['a.json', '[{"id":1,"start_date":"2026-01-01","distance":1e308}]', /row 1, column "distance": must be at most/],
    ['a.pdf', '%PDF-1.4', /must end in \.csv or \.json/],
  ])('of %s is rejected as a whole and changes nothing: %#', async (name, content, message) => {
    const before = await answered(EXAMPLE);
    const { status, body } = await importFile(strava, name, content);
    expect([status, body.error.code]).toEqual([400, 'series.file_invalid']);
    expect(body.error).toMatchObject({ field: 'file', message: expect.stringMatching(message) });
    expect(await answered(EXAMPLE)).toEqual(before);
  });

  it('is rejected without a file, for an unknown account, and for a connector without rows', async () => {
    const none = await rest(admin, 'POST', `/accounts/${strava}/import`, {});
    expect([none.status, none.body.error.field]).toEqual([415, 'file']);
    const unknown = await importFile(randomUUID(), 'a.csv', csv(ACTIVITIES));
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'account.not_found']);
    const url = await account('url', { settings: { urls: ['https://example.com/'] } });
    expect((await importFile(url, 'a.csv', csv(ACTIVITIES))).body.error.code).toBe('series.import_unsupported');
  });
});

describe('a purge', () => {
  it('[C-34] keeps the aggregates and reports it', async () => {
    const before = await answered(EXAMPLE);
    const partly = await purge(strava, { before: '2026-02-10' });
    expect([partly.status, partly.body]).toEqual([200, { rows: 20, rollups: 2, position: expect.any(Number) }]);
    expect(await answered(EXAMPLE)).toEqual({
      rows: before.rows,
      metadata: { ...before.metadata, aggregate_status: 'partial' },
    });
    const january = { ...EXAMPLE, group_by: 'day', range: { from: '2026-01-01', to: '2026-02-01' } };
    expect((await answered(january)).metadata.aggregate_status).toBe('aggregate_only');
    expect((await purge(strava)).body).toMatchObject({ rows: 46 });
    const after = await answered(EXAMPLE);
    expect(after).toEqual({ rows: before.rows, metadata: { ...before.metadata, aggregate_status: 'aggregate_only' } });
    const again = await importFile(strava, 'activities.csv', csv(ACTIVITIES));
    expect(again.body).toMatchObject({ rows: 0, duplicates: 66, items: 0 });
    expect(await answered(EXAMPLE)).toEqual(after);
    const { body } = await rest(admin, 'GET', '/items?kind=observations&limit=100');
    expect(body.items.filter(({ title }: any) => title.startsWith('strava'))).toEqual([]);
  });

  it('rejects an invalid time', async () => {
    const { status, body } = await purge(strava, { before: '2026-02-30' });
    expect([status, body.error.code, body.error.field]).toEqual([400, 'input.invalid', 'before']);
  });
});
