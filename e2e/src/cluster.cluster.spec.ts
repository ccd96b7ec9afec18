import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROJECTIONS } from '@cairn/projections';
import { startCluster, type Cluster } from '@cairn/local-servers';
import { testCacheDir } from '@cairn/testing';

const run = promisify(execFile);
const CAIRN = fileURLToPath(new URL('../../apps/cli/bin/cairn.mjs', import.meta.url));

describe('a cluster', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-cluster-'));
  let cluster: Cluster;

  const call = async (name: string, args: Record<string, unknown>): Promise<any> => {
    const response = await fetch(cluster.mcpUrl, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${cluster.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    });
    const { result, error } = (await response.json()) as any;
    return error ? { error } : result;
  };
  const get = async (path: string): Promise<any> =>
    (await fetch(`${cluster.url}/api/v1${path}`, { headers: { authorization: `Bearer ${cluster.token}` } })).json();
  const cli = (...args: string[]) =>
    run(process.execPath, [CAIRN, ...args], { env: { ...process.env, ...cluster.env } });
  const until = async (check: () => Promise<boolean>): Promise<void> => {
    const deadline = Date.now() + 30_000;
    while (!(await check())) {
      if (Date.now() > deadline) throw new Error('this did not come true in time');
      await delay(50);
    }
  };

  beforeAll(async () => {
    cluster = await startCluster({
      dataDir,
      cacheDir: testCacheDir(),
      javaHome: process.env['JAVA_HOME'],
      log: () => undefined,
    });
    for (let i = 0; i < 20; i++)
      await call('store_knowledge', { title: `Entry ${i}`, body: `The body of entry ${i} speaks of harbours.` });
    await until(async () =>
      (await get('/items?limit=100')).items.every((item: any) => item.embeddingStatus === 'ready'),
    );
  }, 180_000);

  afterAll(async () => {
    await cluster?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }, 60_000);

  /** Leaves one item outside the knowledge base, and one that returned to it in another folder under another title. */
  const placeSome = async (): Promise<void> => {
    const headers = { authorization: `Bearer ${cluster.token}`, 'content-type': 'application/json' };
    const send = async (method: string, path: string, body: unknown): Promise<any> => {
      const answer = await fetch(`${cluster.url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
      expect(answer.ok).toBe(true);
      return answer.json();
    };
    const [first, second] = (await get('/items')).items;
    const folder = await send('POST', '/folders', { slug: 'elsewhere', name: 'Elsewhere' });
    await send('PATCH', `/items/${first.id}`, { inKb: false });
    await send('PATCH', `/items/${second.id}`, { inKb: false, folderId: folder.id });
    await send('PATCH', `/items/${second.id}`, { inKb: true, title: 'Back again' });
  };

  it('verifies its log, rebuilds each projection to the same state, and swaps it in', async () => {
    await placeSome();
    await until(async () => (await get('/projections')).items.every((projection: any) => projection.lagOps === 0));
    expect((await cli('oplog', 'verify')).stdout).toContain('verified');
    for (const { name: projection } of PROJECTIONS) {
      const { stdout } = await cli('oplog', 'replay', projection, '--json');
      expect(JSON.parse(stdout)).toMatchObject({ projection, equal: true });
      expect((await cli('oplog', 'promote', projection, '--yes')).stdout).toContain('version 2');
    }
    const word = `zq${randomUUID().slice(0, 8)}`;
    await call('store_knowledge', { title: 'After the swap', body: `written to the new version: ${word}` });
    const { structuredContent } = await call('search_knowledge_base', { query: word, mode: 'keyword' });
    expect(structuredContent.hits[0].title).toBe('After the swap');
    expect((await cli('oplog', 'verify')).stdout).toContain('verified');
  }, 120_000);

  it('lists its parts in /status and its projections with their lag', async () => {
    const status = await get('/status');
    expect(status.degraded).toBe(false);
    expect(status.components.every((component: any) => component.ok)).toBe(true);
    await until(async () => (await get('/projections')).items.every((projection: any) => projection.lagOps === 0));
    const names = (await get('/projections')).items.map((projection: any) => projection.name);
    expect(names.sort()).toEqual(PROJECTIONS.map(({ name }) => name).sort());
  });

  it('completes the work of an ingest that was killed during writes', async () => {
    const acknowledged: string[] = [];
    const write = async (n: number): Promise<void> => {
      const args = { title: `Killed ${n}`, body: 'written while ingest dies', clientToken: randomUUID() };
      for (;;) {
        const answer = await call('store_knowledge', args).catch(() => undefined);
        if (answer && !answer.isError && !answer.error) return void acknowledged.push(answer.structuredContent.id);
        await delay(100);
      }
    };
    const writes = Promise.all(Array.from({ length: 40 }, (_, n) => write(n)));
    await cluster.services.ingest.end('SIGKILL');
    await cluster.restart('ingest');
    await writes;
    const items = (await get('/items?limit=100')).items.filter((item: any) => item.title.startsWith('Killed'));
    expect(items.map((item: any) => item.id).sort()).toEqual([...acknowledged].sort());
  }, 60_000);

  it('answers hybrid search by keyword, degraded, while the embedder is unavailable', async () => {
    await cluster.services.embedder.end('SIGTERM');
    const hybrid = await call('search_knowledge_base', { query: 'harbours of the north' });
    expect(hybrid.structuredContent).toMatchObject({ degraded: true, mode: 'hybrid' });
    expect(hybrid.structuredContent.hits.length).toBeGreaterThan(0);
    expect((await call('search_knowledge_base', { query: 'harbours of the north', mode: 'semantic' })).error.code).toBe(
      -32603,
    );
    expect(
      (await call('store_knowledge', { title: 'Later', body: 'embedded later' })).structuredContent.embeddingStatus,
    ).toBe('pending');
    expect((await fetch(`${cluster.url}/readyz`)).status).toBe(200);
    await cluster.restart('embedder');
    await until(async () => (await get('/items?limit=1')).items[0].embeddingStatus === 'ready');
  }, 60_000);

  it('stops every service with exit code 0', async () => {
    for (const service of Object.values(cluster.services)) expect(await service.end('SIGTERM')).toBe(0);
  });
});
