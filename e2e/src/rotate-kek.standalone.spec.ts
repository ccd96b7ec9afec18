import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StandaloneProcess } from '@cairn/testing';

const run = promisify(execFile);
const CAIRN = fileURLToPath(new URL('../../apps/cli/bin/cairn.mjs', import.meta.url));
const ITEMS = 25;

describe('a standalone home whose KEK is rotated', () => {
  const home = mkdtempSync(join(tmpdir(), 'cairn-rotate-'));
  const file = (name: string): string => join(home, name);
  let cairn: StandaloneProcess;
  let firstKek: string;
  let receipt: { receipt: object; key: object };
  let forgottenId: string;

  const start = async (): Promise<void> => {
    cairn = await StandaloneProcess.start(home, { CAIRN_MODEL_DIR: file('no-model') });
  };
  const cli = (...args: string[]) =>
    run(process.execPath, [CAIRN, ...args], { env: { ...process.env, CAIRN_HOME: home } });
  const api = async (method: string, path: string, body?: object, more: Record<string, string> = {}): Promise<any> => {
    const headers = { authorization: `Bearer ${cairn.token}`, 'content-type': 'application/json', ...more };
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    return (await fetch(`${cairn.run.url}/api/v1${path}`, init)).json();
  };
  const search = async (query: string): Promise<any[]> => {
    const params = { name: 'search_knowledge_base', arguments: { query, mode: 'keyword' } };
    const response = await fetch(cairn.run.mcpUrl, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${cairn.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    return ((await response.json()) as any).result.structuredContent.hits;
  };
  const keys = async (): Promise<any> => (await api('GET', '/status')).keys;
  const REPEATED = '01890000-0000-7000-8000-000000000001';
  const storeRepeatedly = () =>
    api('POST', '/items', { title: 'Once', text: 'The word onceonly.' }, { 'idempotency-key': REPEATED });
  const untilRotated = async (): Promise<void> => {
    while (existsSync(file('kek.previous'))) await delay(25);
  };

  beforeAll(async () => {
    await start();
    for (let i = 0; i < ITEMS; i++)
      await api('POST', '/items', { title: `Entry ${i}`, text: `The word entryword${i}.` });
    await storeRepeatedly();
    const gone = await api('POST', '/items', { title: 'Gone', text: 'The word goneword.' });
    forgottenId = gone.id;
    const { receiptId } = await api('DELETE', `/items/${gone.id}`);
    await cli('forget', 'purge');
    receipt = { ...(await api('GET', `/receipts/${receiptId}`)), key: await api('GET', '/receipts/key') };
    firstKek = readFileSync(file('kek'), 'utf8');
  }, 180_000);
  afterAll(async () => {
    await cairn.stop();
    rmSync(home, { recursive: true, force: true });
  }, 60_000);

  it('has no rotation in progress before', async () => {
    expect(await keys()).toEqual({ kekId: expect.stringMatching(/^[0-9a-f]{8}$/), rotation: 'none', checkedAt: null });
  });

  it('continues with its KEK until it is restarted', async () => {
    expect((await cli('keys', 'rotate')).stdout).toContain('the next start');
    expect((await cli('keys', 'rotate')).stdout).toContain('the next start');
    expect(readFileSync(file('kek'), 'utf8')).toBe(firstKek);
    expect(statSync(file('kek.next')).mode & 0o777).toBe(0o600);
    expect(await search('entryword1')).toHaveLength(1);
  });

  it('adopts the new one, survives being killed in the middle, and destroys the old one by itself', async () => {
    const { kekId } = await keys();
    expect(await cairn.stop()).toBe(0);
    await start();
    await cairn.app.end('SIGKILL');
    expect(readFileSync(file('kek'), 'utf8')).not.toBe(firstKek);
    await start();
    await untilRotated();
    expect(await keys()).toEqual({ kekId: expect.any(String), rotation: 'done', checkedAt: expect.any(String) });
    expect((await keys()).kekId).not.toBe(kekId);
    expect(readdirSync(home).filter((name) => name.startsWith('kek'))).toEqual(['kek']);
    expect(cairn.app.output).not.toContain(firstKek.trim());
  }, 120_000);

  it.each(['with the process that has rotated it', 'after a restart with the new one alone'])(
    'has all of its content unchanged, %s',
    async (when) => {
      if (when.startsWith('after')) {
        expect(await cairn.stop()).toBe(0);
        await start();
        expect(await keys()).toMatchObject({ rotation: 'none' });
      }
      for (let i = 0; i < ITEMS; i++) expect((await search(`entryword${i}`))[0].snippet).toContain(`entryword${i}`);
      expect(await search('goneword')).toEqual([]);
      expect(await api('GET', '/receipts/key')).toEqual(receipt.key);
      expect((await storeRepeatedly()).id).toBe((await search('onceonly'))[0].itemId);
    },
    120_000,
  );

  it('is read by the command line with the new KEK, and a rebuild from the log is identical', async () => {
    expect((await cli('forget', 'verify', '--id', forgottenId)).stdout).toContain('nothing is left');
    expect((await cli('oplog', 'verify')).stdout).toContain('verified');
    const replayed = JSON.parse((await cli('oplog', 'replay', 'library', '--json')).stdout);
    expect(replayed).toMatchObject({ equal: true });
    await cli('oplog', 'promote', 'library', '--yes');
    expect(await search('entryword1')).toHaveLength(1);
  }, 120_000);

  it('is rotated at its source if the environment provides it', async () => {
    const refused = run(process.execPath, [CAIRN, 'keys', 'rotate'], {
      env: { ...process.env, CAIRN_HOME: home, CAIRN_KEK: firstKek.trim() },
    });
    await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('CAIRN_KEK is set') });
    expect(existsSync(file('kek.next'))).toBe(false);
  });
});
