import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callRpc, newWorkspace, rest, underTest } from './under-test.js';

const CAIRN = fileURLToPath(new URL('../../apps/cli/bin/cairn.mjs', import.meta.url));

const rowsOf = (metres: number): string =>
  [
    'Activity ID,Activity Date,Activity Type,Distance',
    `9000000001,"Jan 2, 2026, 3:04:05 PM",Run,${metres}`,
    '9000000002,"Jan 4, 2026, 3:04:05 PM",Run,7500',
  ].join('\n');

describe('cairn series import', () => {
  const home = mkdtempSync(join(tmpdir(), 'cairn-series-'));
  const file = join(home, 'activities.csv');
  let admin: string;
  let account: string;

  const importRows = (text: string) => {
    writeFileSync(file, text);
    const env = { ...process.env, CAIRN_HOME: home, CAIRN_URL: underTest.url, CAIRN_TOKEN: admin };
    const args = [CAIRN, 'series', 'import', account, file];
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    return new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
      child.once('close', (code) => resolve({ code, out, err })),
    );
  };

  const metresOfJanuary = async (): Promise<number> => {
    const range = { from: '2026-01-01', to: '2026-02-01' };
    const args = { source: 'strava', metric: 'distance_meters', range };
    const { body } = await callRpc(admin, 'carabase_query_timeseries', args);
    return body.result.structuredContent.rows[0].value;
  };

  beforeAll(async () => {
    admin = (await newWorkspace()).token;
    account = (await rest(admin, 'POST', '/accounts', { connectorId: 'strava', label: 'Runs' })).body.id;
  });
  afterAll(() => rmSync(home, { recursive: true }));

  it('imports a file, and counts its rows as duplicates when it is run again', async () => {
    const first = await importRows(rowsOf(5000));
    expect([first.code, first.out]).toEqual([0, '2 rows imported into strava_activities, 0 duplicates\n']);
    const second = await importRows(rowsOf(5000));
    expect([second.code, second.out]).toEqual([0, '0 rows imported into strava_activities, 2 duplicates\n']);
    expect(await metresOfJanuary()).toBe(12_500);
  });

  it('imports a changed row, and the earlier value when the earlier file is imported after it', async () => {
    await importRows(rowsOf(6000));
    expect(await metresOfJanuary()).toBe(13_500);
    expect((await importRows(rowsOf(5000))).out).toBe('1 row imported into strava_activities, 1 duplicate\n');
    expect(await metresOfJanuary()).toBe(12_500);
  });

  it('reports the row and the column of a fault, and imports nothing', async () => {
    const { code, err } = await importRows(rowsOf(-1));
    expect(code).toBe(4);
    expect(err).toContain('row 2, column "Distance": must not be negative; nothing was imported');
    expect(await metresOfJanuary()).toBe(12_500);
  });
});
