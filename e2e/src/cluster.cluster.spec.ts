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
import { AppProcess, startCluster, type Cluster } from '@cairn/local-servers';
import { testCacheDir } from '@cairn/testing';
import { Client } from 'pg';

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
    run(process.execPath, [CAIRN, ...args], { env: { ...process.env, ...cluster.envOf('cli') } });
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
    expect((await fetch(`${cluster.opsUrl}/readyz`)).status).toBe(200);
    await cluster.restart('embedder');
    await until(async () => (await get('/items?limit=1')).items[0].embeddingStatus === 'ready');
  }, 60_000);

  it('answers by meaning after search was killed while it loaded the vectors', async () => {
    const byMeaning = async (): Promise<string[]> => {
      const args = { query: 'which entry speaks of harbours', mode: 'semantic', limit: 20 };
      return (await call('search_knowledge_base', args)).structuredContent?.hits.map(({ chunkId }: any) => chunkId);
    };
    const before = await byMeaning();
    expect(before).toHaveLength(20);
    await cluster.services.search.end('SIGKILL');
    // Only a superuser sees what other roles wait for.
    const { url } = cluster.servers.find(({ name }) => name === 'postgres')!;
    const [holder, watcher] = [new Client(url), new Client(url)];
    await Promise.all([holder.connect(), watcher.connect()]);
    try {
      await holder.query('begin; lock table vectors.embeddings in access exclusive mode');
      await cluster.restart('search');
      const unanswered = byMeaning();
      await until(async () => {
        const { rowCount } = await watcher.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%vectors_after%'`,
        );
        return rowCount! > 0;
      });
      await cluster.services.search.end('SIGKILL');
      await holder.query('rollback');
      expect(await unanswered).toBeUndefined();
    } finally {
      await Promise.all([holder.end(), watcher.end()]);
    }
    await cluster.restart('search');
    // The first ones may be answered by the database alone, the later ones from memory.
    for (let i = 0; i < 5; i++) expect(await byMeaning()).toEqual(before);
  }, 60_000);

  it('ends a service that was given the credentials of another, with one sentence', async () => {
    const refusalOf = async (env: Record<string, string>): Promise<string> => {
      const own = { ...cluster.envOf('search'), CAIRN_OPS_PORT: '0', LOG_LEVEL: 'silent' };
      const app = AppProcess.start('search', { ...own, ...env });
      expect(await app.ended()).toBe(1);
      return app.output;
    };
    const { DATABASE_URL, DATABASE_PASSWORD_FILE } = cluster.envOf('ingest');
    expect(await refusalOf({ DATABASE_URL: DATABASE_URL!, DATABASE_PASSWORD_FILE: DATABASE_PASSWORD_FILE! })).toMatch(
      /^Postgres role cairn_ingest may write [\w.]+, and search needs one that can only read; [^\n]+\n$/,
    );
    const { NATS_USER, NATS_PASSWORD_FILE } = cluster.envOf('gateway');
    expect(await refusalOf({ NATS_USER: NATS_USER!, NATS_PASSWORD_FILE: NATS_PASSWORD_FILE! })).toMatch(
      /^NATS at \S+ does not give user gateway with the password in NATS_PASSWORD_FILE the rights of search; [^\n]+\n$/,
    );
  }, 60_000);

  it('serves health and metrics on the ops port, and not on the port of clients', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      expect((await fetch(`${cluster.opsUrl}${path}`)).status).toBe(200);
      expect((await fetch(`${cluster.url}${path}`)).status).toBe(404);
    }
  });

  it('stops every service with exit code 0, also after a second signal', async () => {
    for (const service of Object.values(cluster.services)) {
      const codes = await Promise.all([service.end('SIGTERM'), service.end('SIGTERM')]);
      expect(codes).toEqual([0, 0]);
    }
  });
});
