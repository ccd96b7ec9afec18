import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { answersOk, AppProcess } from '@cairn/local-servers';
import { StandaloneProcess, writeNextRelease, type RunInfo } from '@cairn/testing';

describe('a home that is started with another release', () => {
  const [home, nextRelease] = ['cairn-home-', 'cairn-release-'].map((prefix) => mkdtempSync(join(tmpdir(), prefix)));
  let running: AppProcess | undefined;

  afterAll(async () => {
    await running?.end('SIGTERM');
    for (const dir of [home!, nextRelease!]) rmSync(dir, { recursive: true, force: true });
  });

  const runInfo = (): RunInfo => JSON.parse(readFileSync(join(home!, 'run.json'), 'utf8')) as RunInfo;
  const rest = async (method: string, path: string, body?: object): Promise<[number, any]> => {
    const token = readFileSync(join(home!, 'admin-token'), 'utf8').trim();
    const response = await fetch(`${runInfo().url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return [response.status, await response.json()];
  };
  const store = (title: string) => rest('POST', '/items', { title, text: `About ${title}.` });
  const titles = async (): Promise<string[]> =>
    (await rest('GET', '/items'))[1].items.map(({ title }: { title: string }) => title).sort();

  it('answers reads and refuses changes while it fills its read models, and keeps those of the release before', async () => {
    const before = await StandaloneProcess.start(home!);
    running = before.app;
    expect((await store('zebra'))[0]).toBe(201);
    await before.stop();

    writeNextRelease(nextRelease!, { isSlowlyFilled: true });
    const app = (running = AppProcess.start('standalone', { CAIRN_HOME: home!, CAIRN_PORT: '0' }, nextRelease));
    await app.until(() => existsSync(join(home!, 'run.json')) && runInfo().pid === app.pid);
    expect(await titles()).toEqual(['zebra']);
    const [status, { error }] = await store('too early');
    expect([status, error.code]).toEqual([503, 'projection.unavailable']);
    expect(error.message).toContain('filling its read models');
    const ready = await fetch(`${runInfo().url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([503, expect.objectContaining({ status: 'not ready' })]);

    await app.until(() => answersOk(`${runInfo().url}/readyz`));
    expect(app.output).toContain('the read models of this version of Cairn are live');
    expect((await store('giraffe'))[0]).toBe(201);
    await app.end('SIGTERM');

    running = (await StandaloneProcess.start(home!)).app;
    expect(await titles()).toEqual(['giraffe', 'zebra']);
  }, 180_000);
});
