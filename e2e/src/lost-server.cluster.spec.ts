import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPostgresRoles, startCluster, type Cluster, type NativePostgres } from '@cairn/local-servers';
import { hashTables, PROJECTIONS, tableNames } from '@cairn/projections';
import { testCacheDir } from '@cairn/testing';
import { Client, Pool } from 'pg';
import { canary, wordsBelow } from './canaries.js';

const run = promisify(execFile);
const CAIRN = fileURLToPath(new URL('../../apps/cli/bin/cairn.mjs', import.meta.url));
const REPAIR = ['oplog', 'repair', '--from', 'archive'];

/** One engine is lost with everything on its disk, and written again from the other. */
describe('a cluster that lost', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-lost-'));
  let cluster: Cluster;
  const words = { gone: canary(), chunk: canary(), sibling: canary() };
  const ids = { gone: '', parts: '', chunk: '', waiting: '' };

  const server = (name: string) => cluster.servers.find((one) => one.name === name)!;
  const until = async (check: () => Promise<boolean> | boolean): Promise<void> => {
    const deadline = Date.now() + 60_000;
    while (!(await check())) {
      if (Date.now() > deadline) throw new Error('this did not come true in time');
      await delay(50);
    }
  };
  const headers = () => ({
    authorization: `Bearer ${cluster.token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  });
  const api = async (method: string, path: string, body?: object): Promise<any> => {
    const init = { method, headers: headers(), ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`${cluster.url}/api/v1${path}`, init);
    const text = await answer.text();
    return { httpStatus: answer.status, ...(text === '' ? {} : JSON.parse(text)) };
  };
  const call = async (name: string, args: object): Promise<any> => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const init = { method: 'POST', headers: headers(), body: JSON.stringify(message) };
    return ((await (await fetch(cluster.mcpUrl, init)).json()) as any).result?.structuredContent;
  };
  const env = (user: 'cli' | 'ingest') => ({ env: { ...process.env, ...cluster.envOf(user) } });
  const cli = async (...args: string[]): Promise<any> =>
    JSON.parse((await run(process.execPath, [CAIRN, ...args, '--json'], env('cli'))).stdout);
  /** The operator runs a repair with the credentials of ingest. */
  const repair = async (...args: string[]): Promise<any> =>
    JSON.parse((await run(process.execPath, [CAIRN, ...REPAIR, ...args, '--json'], env('ingest'))).stdout);

  const follow = (): Promise<void> =>
    until(async () => {
      const { items } = await api('GET', '/projections');
      return items?.every(({ lagOps }: any) => lagOps === 0) ?? false;
    });
  const embedded = (): Promise<void> =>
    until(async () => {
      const { items } = await api('GET', '/items?limit=100');
      return items?.every(({ embeddingStatus }: any) => embeddingStatus === 'ready') ?? false;
    });
  const stop = async (...names: (keyof Cluster['services'])[]): Promise<void> => {
    for (const name of names) await cluster.services[name].end('SIGTERM');
  };
  const start = async (...names: (keyof Cluster['services'])[]): Promise<void> => {
    for (const name of names) await cluster.restart(name);
  };

  /** The canonical hashes of all tables of all projections in Postgres. */
  const hashes = async (): Promise<Record<string, unknown>> => {
    const pool = new Pool({ connectionString: server('postgres').url, max: 1 });
    try {
      const found: [string, unknown][] = [];
      for (const projection of PROJECTIONS.filter(({ name }) => name !== 'lexical'))
        found.push([projection.name, await hashTables(pool, projection.name, tableNames(projection))]);
      return Object.fromEntries(found);
    } finally {
      await pool.end();
    }
  };
  const heads = async (): Promise<unknown[]> => {
    const client = new Client(server('postgres').url);
    await client.connect();
    const { rows } = await client.query('select id, head, head_hash from library.workspaces order by id');
    await client.end();
    return rows;
  };
  const answers = async (): Promise<Record<string, unknown>> => {
    const hits = async (query: string, mode: string) => {
      let answer: any;
      await until(async () => (answer = await call('search_knowledge_base', { query, mode, limit: 20 }))?.hits);
      return answer.hits.map(({ chunkId }: any) => chunkId);
    };
    return {
      keyword: (await hits('harbour', 'keyword')).sort(),
      corrected: await hits('9090', 'keyword'),
      replaced: await hits('8080', 'keyword'),
      meaning: await hits('a place where ships are safe', 'semantic'),
      forgotten: [await hits(words.gone, 'keyword'), await hits(words.chunk, 'keyword')],
    };
  };
  const expectForgotten = async (): Promise<void> => {
    expect((await api('GET', `/items/${ids.gone}`)).httpStatus).toBe(404);
    const { chunks } = await api('GET', `/items/${ids.parts}`);
    expect(JSON.stringify(chunks)).toContain(words.sibling);
    expect(JSON.stringify(chunks)).not.toContain(words.chunk);
    for (const id of [ids.gone, ids.chunk])
      expect(await cli('forget', 'verify', '--id', id)).toMatchObject({ left: 0, forgettings: [{ receipt: 'valid' }] });
    expect(wordsBelow(join(dataDir, 'nats'), { gone: words.gone, chunk: words.chunk })).toEqual([]);
  };
  const write = async (): Promise<void> => {
    const word = canary();
    await call('store_knowledge', { title: 'Later', body: `Written later: ${word}` });
    expect((await call('search_knowledge_base', { query: word, mode: 'keyword' })).hits).toHaveLength(1);
    await embedded();
    await follow();
  };

  beforeAll(async () => {
    cluster = await startCluster({
      dataDir,
      cacheDir: testCacheDir(),
      javaHome: process.env['JAVA_HOME'],
      log: () => undefined,
    });
    for (let i = 0; i < 5; i++)
      await call('store_knowledge', { title: `Entry ${i}`, body: `Entry ${i} is about a harbour.` });
    ids.gone = (await api('POST', '/items', { title: 'Gone', text: `The word ${words.gone} goes.` })).id;
    const corrected = await api('POST', '/items', { title: 'Corrected', text: 'The port is 8080.' });
    const { correctionId } = await call('correct', {
      chunkId: corrected.chunkIds[0],
      proposal: 'replace 8080 with 9090',
    });
    await call('apply', { correctionId });
    const filler = Array.from({ length: 30 }, (_, i) => `Sentence ${i} fills this part of the text.`).join(' ');
    const text = [words.sibling, words.chunk, 'nothing'].map((word) => `${word}. ${filler}`).join('\n\n');
    ids.parts = (await api('POST', '/items', { title: 'Parts', text })).id;
    const { chunks } = await api('GET', `/items/${ids.parts}`);
    ids.chunk = chunks.find((chunk: any) => chunk.text.includes(words.chunk)).id;
    for (const name of ['Nowhere yet', 'Nowhere else'])
      await call('remember', { text: `A text that waits for ${name}.`, target_engram: name });
    const [dismissed, waiting] = (await api('GET', '/confirmations')).items;
    ids.waiting = waiting.id;
    await api('POST', `/confirmations/${dismissed.id}`, { action: 'dismiss' });
    await embedded();
    await api('DELETE', `/items/${ids.gone}`);
    await api('DELETE', `/chunks/${ids.chunk}`);
    await cli('forget', 'purge');
    await embedded();
    await follow();
  }, 180_000);

  afterAll(async () => {
    await cluster?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }, 60_000);

  it('NATS has the same log, keys and vectors again after a repair from the archive', async () => {
    const before = {
      answers: await answers(),
      hashes: await hashes(),
      heads: await heads(),
      log: await cli('oplog', 'verify'),
    };
    const one = [expect.any(String)];
    expect(before.answers).toMatchObject({ corrected: one, replaced: [], forgotten: [[], []] });
    expect(before.answers['keyword']).toHaveLength(5);
    expect(before.log.findings).toEqual([]);
    expect(before.log.erased).toBeGreaterThan(0);
    const refused = repair().then(
      () => undefined,
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
    );
    expect(await refused).toEqual({
      code: 4,
      stderr: expect.stringMatching(/^cairn: ingest is running, with [^\n]+\n$/),
    });

    await stop('gateway', 'search', 'embedder', 'ingest');
    const nats = server('nats-server');
    const { restarts } = nats;
    const { pid } = nats;
    // Stopped first, so that it writes nothing into the removed directory.
    process.kill(pid!, 'SIGSTOP');
    rmSync(join(dataDir, 'nats', 'jetstream'), { recursive: true });
    process.kill(pid!, 'SIGKILL');
    await until(() => nats.restarts > restarts);

    const ingest = cluster.replicas.ingest[0]!.launch();
    expect(await ingest.ended()).toBe(1);
    expect(ingest.output).toContain('cairn oplog repair --from archive');
    const { plan } = await repair('--dry-run');
    expect(plan).toMatchObject({ head: before.log.head, equalUpTo: 0, ops: before.log.ops, erased: before.log.erased });

    const killed = spawn(process.execPath, [CAIRN, ...REPAIR], env('ingest'));
    killed.stderr.once('data', () => killed.kill('SIGKILL'));
    await once(killed, 'exit');
    const { done } = await repair();
    expect(done).toMatchObject({ findings: [], keys: { secrets: expect.stringMatching(/restored|present/) } });

    await start('ingest', 'search', 'embedder', 'gateway');
    expect(await cli('oplog', 'verify')).toEqual(before.log);
    expect(await heads()).toEqual(before.heads);
    expect(await hashes()).toEqual(before.hashes);
    expect(await answers()).toEqual(before.answers);
    await expectForgotten();
    const { itemId } = await api('POST', `/confirmations/${ids.waiting}`, { action: 'create' });
    expect((await api('GET', `/items/${itemId}`)).content).toContain('A text that waits');
    await write();
    expect((await cli('oplog', 'verify')).findings).toEqual([]);
  }, 120_000);

  it('Postgres has the same rows again after a start of ingest', async () => {
    const before = { answers: await answers(), hashes: await hashes(), log: await cli('oplog', 'verify') };
    await stop('search', 'ingest');
    const postgres = server('postgres') as NativePostgres;
    const client = new Client(postgres.url.replace(/\/postgres$/, '/template1'));
    await client.connect();
    await client.query('drop database postgres with (force)');
    await client.query('create database postgres');
    await client.end();
    await createPostgresRoles(postgres, join(dataDir, 'secrets'));

    await start('ingest', 'search');
    await follow();
    expect(await hashes()).toEqual(before.hashes);
    expect(await cli('oplog', 'verify')).toEqual(before.log);
    expect(await answers()).toEqual(before.answers);
    await expectForgotten();
    await write();
    expect((await cli('oplog', 'verify')).findings).toEqual([]);
  }, 120_000);
});
