import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VECTORS_STREAM } from '@cairn/contracts';
import { AppProcess, startCluster, type Cluster } from '@cairn/local-servers';
import { connectNats, natsAccess, type NatsConnection } from '@cairn/messaging';
import { testCacheDir } from '@cairn/testing';

const HEAL_MS_MAX = 60_000;
const CAIRN = fileURLToPath(new URL('../../apps/cli/bin/cairn.mjs', import.meta.url));
const run = promisify(execFile);

describe('a cluster whose stores are lost while it runs', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-lost-'));
  let cluster: Cluster;
  let nats: NatsConnection;
  let openSearchUrl: string;
  let index: string;

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
    return ((await response.json()) as any).result;
  };
  const get = async (path: string): Promise<any> =>
    (await fetch(`${cluster.url}/api/v1${path}`, { headers: { authorization: `Bearer ${cluster.token}` } })).json();
  const component = async (name: string): Promise<any> =>
    (await get('/status')).components.find((one: any) => one.name === name);
  const openSearch = async (method: string, path: string, body?: object): Promise<any> => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${openSearchUrl}/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer: any = await response.json();
    if (!response.ok) throw new Error(JSON.stringify(answer));
    return answer;
  };
  const until = async (check: () => Promise<boolean>): Promise<void> => {
    const deadline = Date.now() + HEAL_MS_MAX;
    while (!(await check())) {
      if (Date.now() > deadline) throw new Error('this did not come true in time');
      await delay(50);
    }
  };
  const intact = async (store: string): Promise<string | undefined> => {
    const [ingest] = cluster.replicas.ingest;
    const metrics = await (await fetch(`${ingest!.opsUrl}/metrics`)).text();
    return new RegExp(`^cairn_store_intact\\{store="${store}"\\} (\\d)$`, 'm').exec(metrics)?.[1];
  };
  const found = async (query: string, mode: string): Promise<string[]> =>
    (await call('search_knowledge_base', { query, mode, limit: 20 })).structuredContent.hits.map(
      ({ title }: any) => title,
    );
  /** Ingest may have rebuilt the index between the two steps; then they are repeated. */
  const replaced = (by: () => Promise<unknown>): Promise<void> =>
    until(async () => {
      await openSearch('DELETE', `${index}?ignore_unavailable=true`);
      return by().then(
        () => true,
        () => false,
      );
    });
  const verify = () =>
    run(process.execPath, [CAIRN, 'oplog', 'verify'], { env: { ...process.env, ...cluster.envOf('cli') } });
  const whole = async (): Promise<boolean> => (await component('lexical')).ok;
  const embedded = async (): Promise<boolean> =>
    (await get('/items?limit=100')).items.every((item: any) => item.embeddingStatus === 'ready');

  beforeAll(async () => {
    cluster = await startCluster({
      dataDir,
      cacheDir: testCacheDir(),
      javaHome: process.env['JAVA_HOME'],
      log: () => undefined,
    });
    openSearchUrl = cluster.servers.find(({ name }) => name === 'opensearch')!.url;
    index = Object.keys(await openSearch('GET', '_alias/chunks'))[0]!;
    nats = await connectNats(natsAccess(cluster.envOf('ingest') as never), 'ingest');
    for (let i = 0; i < 10; i++)
      await call('store_knowledge', { title: `Entry ${i}`, body: `The body of entry ${i} speaks of harbours.` });
    await until(async () => (await embedded()) && (await found('harbours', 'keyword')).length === 10);
  }, 180_000);
  afterAll(async () => {
    await nats?.close();
    await cluster?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }, 60_000);

  it('answers by meaning, degraded, while the keyword index is missing, and rebuilds it by itself', async () => {
    const blocked = (isBlocked: true | null) =>
      openSearch('PUT', '_cluster/settings', { persistent: { 'cluster.blocks.create_index': isBlocked } });
    await blocked(true);
    await openSearch('DELETE', index);
    await expect(verify()).rejects.toMatchObject({
      code: 2,
      stdout: expect.stringContaining('was deleted or replaced'),
    });
    const hybrid = await call('search_knowledge_base', { query: 'harbours' });
    expect(hybrid.structuredContent).toMatchObject({ degraded: true, mode: 'hybrid' });
    expect(hybrid.structuredContent.hits.length).toBeGreaterThan(0);
    expect(await component('lexical')).toMatchObject({
      ok: false,
      note: expect.stringMatching(/^the keyword index was deleted or replaced in OpenSearch/),
    });
    await until(async () => (await intact('lexical')) === '0');
    await blocked(null);
    await until(whole);
    expect(await found('harbours', 'keyword')).toHaveLength(10);
    expect((await call('search_knowledge_base', { query: 'harbours' })).structuredContent.degraded).toBe(false);
    await until(async () => (await intact('lexical')) === '1');
    expect((await verify()).stdout).toContain('verified');
  }, 120_000);

  it('reports documents that are missing in the keyword index when the log is verified', async () => {
    const { hits } = await openSearch('GET', `${index}/_search?q=_exists_:itemId&size=1`);
    const [{ _id: id, _source: source }] = hits.hits;
    await openSearch('DELETE', `${index}/_doc/${id}?refresh=true`);
    await expect(verify()).rejects.toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/has 9 documents for 10 chunks/),
    });
    expect(source).not.toHaveProperty('body');
    await openSearch('DELETE', index);
    await until(whole);
  }, 120_000);

  it('is not deceived by an index that something else has created under the same name', async () => {
    await replaced(() => openSearch('PUT', index, { aliases: { chunks: {} } }));
    const { structuredContent } = await call('search_knowledge_base', { query: 'harbours' });
    expect(structuredContent.hits.length).toBeGreaterThan(0);
    await until(whole);
    expect(await found('harbours', 'keyword')).toHaveLength(10);
    const { mappings } = (await openSearch('GET', index))[index];
    expect(mappings).toMatchObject({ dynamic: 'strict', _source: { excludes: ['body'] } });
  }, 120_000);

  it('adds what a restored, older keyword index lacks', async () => {
    const location = join(dataDir, 'opensearch', 'snapshots', 'older');
    await openSearch('PUT', '_snapshot/older', { type: 'fs', settings: { location } });
    await openSearch('PUT', '_snapshot/older/one?wait_for_completion=true', { indices: index });
    await call('store_knowledge', { title: 'Newer', body: 'A newer text speaks of lighthouses.' });
    await until(async () => (await found('lighthouses', 'keyword')).length === 1);
    await replaced(() =>
      openSearch('POST', '_snapshot/older/one/_restore?wait_for_completion=true', { indices: index }),
    );
    await until(async () => (await whole()) && (await found('lighthouses', 'keyword').catch(() => [])).length === 1);
    expect(await found('harbours', 'keyword')).toHaveLength(10);
  }, 120_000);

  it('embeds all texts again into a new stream when VECTORS is lost, and finds by meaning meanwhile', async () => {
    await until(embedded);
    const stream = async (verb: 'INFO' | 'DELETE'): Promise<any> =>
      (await nats.request(`$JS.API.STREAM.${verb}.${VECTORS_STREAM}`)).json();
    const { state: before } = await stream('INFO');
    await stream('DELETE');
    expect(await found('where ships land', 'semantic')).toHaveLength(11);
    const title = 'After the loss';
    await call('store_knowledge', { title, body: 'Ships land at the quay.' });
    await until(async () => (await stream('INFO')).state?.messages === before.messages + 1);
    expect((await stream('INFO')).state.first_seq).toBeGreaterThan(before.last_seq);
    await until(async () => (await found('ships land at the quay', 'semantic')).includes(title));
    await until(async () => (await component('nats')).ok);
  }, 120_000);

  it('ends the start of ingest if OpenSearch creates indexes by itself', async () => {
    await openSearch('PUT', '_cluster/settings', { persistent: { 'action.auto_create_index': 'true' } });
    const own = { ...cluster.envOf('ingest'), CAIRN_OPS_PORT: '0', LOG_LEVEL: 'silent' };
    const app = AppProcess.start('ingest', own);
    expect(await app.ended()).toBe(1);
    expect(app.output).toMatch(
      /^OpenSearch at \S+ creates missing indexes by itself[^\n]+auto_create_index: false[^\n]+\n$/,
    );
    await openSearch('PUT', '_cluster/settings', { persistent: { 'action.auto_create_index': null } });
  }, 60_000);
});
