import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { PROJECTIONS } from '@cairn/projections';
import { AppProcess, freePort } from '@cairn/local-servers';
import { StandaloneProcess } from '@cairn/testing';
import { Client } from 'pg';

const run = promisify(execFile);
const CAIRN = fileURLToPath(new URL('../../apps/cli/bin/cairn.mjs', import.meta.url));

const CANARIES = {
  title: 'zTitleCanaryQx71',
  body: 'zBodyCanaryQx72',
  tag: 'ztagcanaryqx73',
  sourceName: 'zSourceCanaryQx74',
  sourceUri: 'zUriCanaryQx75',
  memory: 'zMemoryCanaryQx76',
  label: 'zLabelCanaryQx77',
  waiting: 'zWaitingCanaryQx78',
  suggestedName: 'zNameCanaryQx79',
};

function* files(dir: string): Generator<string> {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (entry.isFile()) yield path;
  }
}

const canariesIn = (bytes: Buffer | string): string[] =>
  Object.values(CANARIES).filter((canary) => bytes.includes(canary));

describe('a standalone home', () => {
  const home = mkdtempSync(join(tmpdir(), 'cairn-home-'));
  let cairn: StandaloneProcess;

  const call = async (
    name: string,
    args: Record<string, unknown>,
  ): Promise<{ structuredContent: any; isError?: boolean; error?: any }> => {
    const response = await fetch(cairn.run.mcpUrl, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${cairn.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    });
    const { result, error } = (await response.json()) as any;
    return { ...result, error };
  };
  const get = async (path: string): Promise<any> =>
    (await fetch(`${cairn.run.url}/api/v1${path}`, { headers: { authorization: `Bearer ${cairn.token}` } })).json();
  /** Leaves one item outside the knowledge base, and one that returned to it in another folder under another title. */
  const placeSome = async (): Promise<void> => {
    const headers = { authorization: `Bearer ${cairn.token}`, 'content-type': 'application/json' };
    const send = async (method: string, path: string, body: unknown): Promise<any> => {
      const answer = await fetch(`${cairn.run.url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
      expect(answer.ok).toBe(true);
      return answer.json();
    };
    const [first, second] = (await get('/items')).items;
    const folder = await send('POST', '/folders', { slug: 'elsewhere', name: 'Elsewhere' });
    await send('PATCH', `/items/${first.id}`, { inKb: false });
    await send('PATCH', `/items/${second.id}`, { inKb: false, folderId: folder.id });
    await send('PATCH', `/items/${second.id}`, { inKb: true, title: 'Back again' });
    await send('PUT', '/quotas/knowledge_stored', { limit: 1_000 });
  };
  const post = async (path: string, body: unknown): Promise<number> => {
    const headers = { authorization: `Bearer ${cairn.token}`, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(`${cairn.run.url}/api/v1${path}`, init)).status;
  };
  /** The places where the log, the vectors or the process itself have leaked stored text. */
  const leaks = (): string[] => [
    ...[...files(join(home, 'nats'))].flatMap((file) =>
      canariesIn(readFileSync(file)).map((canary) => `${file}: ${canary}`),
    ),
    ...canariesIn(cairn.app.output).map((canary) => `output: ${canary}`),
  ];
  const holdsFile = (text: string, stream: string): boolean =>
    [...files(join(home, 'nats'))].some((file) => file.includes(stream) && readFileSync(file).includes(text));
  const cli = (...args: string[]) =>
    run(process.execPath, [CAIRN, ...args], { env: { ...process.env, CAIRN_HOME: home } });

  afterAll(async () => {
    if (cairn && !cairn.app.hasEnded) await cairn.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it('is created by the first start, which prints where its tokens are and how to connect', async () => {
    // No model is available here: the directory is empty, and no other source is tried.
    cairn = await StandaloneProcess.start(home, { CAIRN_MODEL_DIR: join(home, 'no-model'), LOG_LEVEL: 'debug' });
    await cairn.app.until(() => cairn.app.output.includes('npx cairn connect'));
    const { output } = cairn.app;
    for (const client of ['Claude Desktop', 'Claude Code', 'Cursor', 'curl']) expect(output).toContain(client);
    for (const name of ['admin-token', 'agent-token']) {
      const file = join(home, name);
      expect(output).toContain(file);
      // Not a terminal: others may read captured output.
      expect(output).not.toContain(readFileSync(file, 'utf8').trim());
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
    expect(cairn.run).toMatchObject({ pid: cairn.app.pid, mcpUrl: `${cairn.run.url}/mcp` });
    expect(cairn.run.childPids.nats).toBeGreaterThan(0);
    expect(cairn.run.childPids.postgres).toBeGreaterThan(0);
  });

  it('rejects a second start and names the first process', async () => {
    const second = AppProcess.start('standalone', { CAIRN_HOME: home, CAIRN_PORT: '0' });
    expect(await second.ended()).toBe(1);
    expect(second.output).toContain(`process ${cairn.app.pid}`);
  });

  it('reports all bad variables at once and ends the start', async () => {
    const bad = AppProcess.start('standalone', {
      CAIRN_HOME: home,
      CAIRN_PORT: 'many',
      CAIRN_KEK: 'short',
      LOG_LEVEL: 'loud',
    });
    expect(await bad.ended()).toBe(1);
    for (const name of ['CAIRN_PORT', 'CAIRN_KEK', 'LOG_LEVEL']) expect(bad.output).toContain(name);
    expect(bad.output).not.toContain('short');
  });

  it('[N-24] [N-28] remembers, and lets a text wait for a decision', async () => {
    const labelled = { text: `Remember ${CANARIES.memory}.`, label: CANARIES.label };
    expect((await call('remember', labelled)).structuredContent).toMatchObject({ graphId: 'inbox', nodeCount: 1 });
    const unplaced = { text: `Later ${CANARIES.waiting}.`, target_engram: CANARIES.suggestedName };
    expect((await call('remember', { ...unplaced, label: CANARIES.label })).isError).toBe(true);
    expect((await get('/confirmations')).items).toMatchObject([{ suggestedName: CANARIES.suggestedName }]);
  });

  it('[D-19] [D-21] [G-32] stores and finds by keyword without a model, and reports what is missing', async () => {
    const source = { name: CANARIES.sourceName, uri: `https://example.com/${CANARIES.sourceUri}` };
    expect(await post('/items', { title: 'Sourced', text: 'Text with a source.', source })).toBe(201);
    const stored = await call('store_knowledge', {
      title: `About ${CANARIES.title}`,
      body: `The word ${CANARIES.body} is here.`,
      tags: [CANARIES.tag],
    });
    expect(stored.structuredContent).toMatchObject({ embeddingStatus: 'pending' });
    const found = await call('search_knowledge_base', { query: CANARIES.body });
    expect(found.structuredContent).toMatchObject({ degraded: true, mode: 'hybrid' });
    expect(found.structuredContent.hits[0].itemId).toBe(stored.structuredContent.id);
    expect((await call('search_knowledge_base', { query: 'x', mode: 'semantic' })).error.code).toBe(-32603);
    expect((await get(`/items/${stored.structuredContent.id}`)).embeddingStatus).toBe('pending');
    expect(cairn.app.output).toContain('no embedding model');
    expect((await fetch(`${cairn.run.url}/readyz`)).status).toBe(200);
  });

  it('[N-24] keeps no plaintext of body, title, tag, source, memory or waiting text in the JetStream files, and prints none', async () => {
    const sources = (await get('/items')).items.map((item: any) => item.source.name);
    expect(sources).toContain(CANARIES.sourceName);
    expect(leaks()).toEqual([]);
    expect(holdsFile('item.stored', 'OPLOG')).toBe(true);
    expect(holdsFile('confirmation.requested', 'OPLOG')).toBe(true);
  });

  it('is not opened without its original key', async () => {
    expect(await cairn.stop()).toBe(0);
    renameSync(join(home, 'kek'), join(home, 'kek.moved'));
    const keyless = AppProcess.start('standalone', { CAIRN_HOME: home, CAIRN_PORT: '0' });
    expect(await keyless.ended()).toBe(1);
    expect(keyless.output).toContain('kek is missing');
    renameSync(join(home, 'kek.moved'), join(home, 'kek'));
  });

  it('has health and metrics on the ops port when other machines can reach its own', async () => {
    const [opsPort, model] = [String(await freePort()), join(home, 'no-model')];
    const opsUrl = `http://127.0.0.1:${opsPort}`;
    const env = { CAIRN_HOST: '0.0.0.0', CAIRN_OPS_PORT: opsPort, CAIRN_MODEL_DIR: model, LOG_LEVEL: 'debug' };
    cairn = await StandaloneProcess.start(home, env, { opsUrl });
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      expect((await fetch(`${opsUrl}${path}`)).status).toBe(200);
      expect((await fetch(`${cairn.run.url}${path}`)).status).toBe(404);
    }
  });

  it('stops cleanly on SIGTERM, and the next start continues: the vectors follow when the model is available', async () => {
    expect(await cairn.stop()).toBe(0);
    expect(existsSync(join(home, 'run.json'))).toBe(false);
    cairn = await StandaloneProcess.start(home, { LOG_LEVEL: 'debug' });
    expect(cairn.app.output).not.toContain(cairn.token);
    const { items } = await get('/items');
    await cairn.app.until(async () =>
      (await get('/items')).items.every((item: any) => item.embeddingStatus === 'ready'),
    );
    const { structuredContent } = await call('search_knowledge_base', { query: CANARIES.body, mode: 'semantic' });
    expect(structuredContent.hits[0].itemId).toBe(items[0].id);
  });

  it('has a verifier that names the op if log and archive differ', async () => {
    const database = new Client({ connectionString: (cairn.run as unknown as { databaseUrl: string }).databaseUrl });
    await database.connect();
    const flip = () =>
      database.query('update archive.ops set body = set_byte(body, 9, get_byte(body, 9) # 1) where position = 3');
    await flip();
    await expect(cli('oplog', 'verify')).rejects.toMatchObject({
      code: 2,
      stdout: expect.stringContaining('position 3: differs'),
    });
    await flip();
    await database.end();
    expect((await cli('oplog', 'verify')).stdout).toContain('verified');
  });

  it('keeps no plaintext once the vectors exist either', () => {
    expect(leaks()).toEqual([]);
    expect(holdsFile('vectors.', 'VECTORS')).toBe(true);
  });

  it('verifies its log, rebuilds each projection to the same state, and swaps it in', async () => {
    for (let i = 0; i < 5; i++) await call('store_knowledge', { title: `Entry ${i}`, body: `Body of entry ${i}` });
    await placeSome();
    await cairn.app.until(async () =>
      (await get('/items')).items.every((item: any) => item.embeddingStatus === 'ready'),
    );
    expect((await cli('oplog', 'verify')).stdout).toContain('verified');
    for (const { name: projection } of PROJECTIONS) {
      const replayed = await cli('oplog', 'replay', projection, '--json');
      expect(JSON.parse(replayed.stdout)).toMatchObject({ projection, equal: true });
      expect((await cli('oplog', 'promote', projection, '--yes')).stdout).toContain('version 2');
    }
    await call('store_knowledge', { title: 'After the swap', body: 'written to the new version' });
    const { structuredContent } = await call('search_knowledge_base', {
      query: 'written to the new version',
      mode: 'keyword',
    });
    expect(structuredContent.hits[0].title).toBe('After the swap');
    expect((await cli('oplog', 'verify')).stdout).toContain('verified');
    await expect(cli('oplog', 'promote', 'library')).rejects.toMatchObject({ code: 4 });
    await expect(cli('oplog', 'replay', 'nothing')).rejects.toMatchObject({ code: 1 });
  }, 120_000);

  it('finishes a rebuild that was interrupted, and never swaps one in without its indexes', async () => {
    const database = new Client({ connectionString: (cairn.run as unknown as { databaseUrl: string }).databaseUrl });
    await database.connect();
    await cli('oplog', 'replay', 'lexical');
    // The state that a process leaves when it dies in between: the tables exist, with only some of the rows and no
    // index.
    await database.query('drop index lexical_next.documents_bm25');
    await database.query('truncate lexical_next.documents');
    await database.query(`update cairn.projections set position = 0 where name = 'lexical_next'`);
    expect((await cli('oplog', 'promote', 'lexical', '--yes')).stdout).toContain('version 3');
    const indexes = await database.query(`select 1 from pg_indexes where indexname = 'documents_bm25'`);
    await database.end();
    expect(indexes.rowCount).toBe(1);
    expect(JSON.parse((await cli('oplog', 'replay', 'lexical', '--json')).stdout)).toMatchObject({ equal: true });
    expect((await call('search_knowledge_base', { query: 'Body of entry 3', mode: 'keyword' })).isError).toBeFalsy();
  });
});
