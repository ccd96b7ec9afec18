import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StandaloneProcess } from '@cairn/testing';
import { Client } from 'pg';
import { startEmbeddingEndpoint, wordVector, type EmbeddingEndpoint } from './embedding-endpoint.js';

/** JSON from the wire, loosely typed for assertions. */
type Loose = ReturnType<typeof JSON.parse>;

const run = promisify(execFile);
const CAIRN = fileURLToPath(new URL('../../apps/cli/bin/cairn.mjs', import.meta.url));
/** As long as a vector may be: few of them exceed the smallest memory that can be set. */
const DIMENSIONS = 4_096;
const ITEMS = 300;
const BATCH = 100;
/** With this code, a replay reports that the rebuilt table differs from the live one. */
const DIFFERENCES = 2;

describe('a Cairn whose vectors are damaged, too many, or of another length', () => {
  const home = mkdtempSync(join(tmpdir(), 'cairn-vector-faults-'));
  let dimensions = DIMENSIONS;
  let endpoint: EmbeddingEndpoint;
  let cairn: StandaloneProcess;

  const request = async (method: string, path: string, body?: unknown): Promise<Loose> => {
    const headers = { authorization: `Bearer ${cairn.token}`, 'content-type': 'application/json' };
    const response = await fetch(`${cairn.run.url}/api/v1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.json();
  };
  const search = async (query: string, mode: 'semantic' | 'hybrid'): Promise<Loose> => {
    const params = { name: 'search_knowledge_base', arguments: { query, mode, limit: 5 } };
    const response = await fetch(cairn.run.mcpUrl, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${cairn.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    const { result, error } = (await response.json()) as Loose;
    return error ? { error } : result.structuredContent;
  };
  /** The title of the best hit by meaning; undefined while there is no such answer. */
  const nearest = async (query: string): Promise<string | undefined> =>
    (await search(query, 'semantic')).hits?.[0]?.title;
  /** Of two words, because one may have the same place in a vector as another. */
  const nearestNote = (i: number): Promise<string | undefined> => nearest(`${i} subject${i}`);
  const part = async (name: string): Promise<Loose> =>
    (await request('GET', '/status')).components.find((component: Loose) => component.name === name);
  const cli = (...args: string[]) =>
    run(process.execPath, [CAIRN, ...args], { env: { ...process.env, CAIRN_HOME: home } });
  const sql = async (text: string, values: readonly unknown[]): Promise<void> => {
    const client = new Client(cairn.run.databaseUrl);
    await client.connect();
    await client.query(text, [...values]);
    await client.end();
  };
  const start = async (env: Record<string, string> = {}): Promise<void> => {
    cairn = await StandaloneProcess.start(home, { EMBEDDING_URL: endpoint.url, EMBEDDING_MODEL: 'words', ...env });
  };
  const restart = async (env: Record<string, string> = {}): Promise<void> => {
    await cairn.stop();
    await start(env);
  };

  beforeAll(async () => {
    endpoint = await startEmbeddingEndpoint((_, text) => wordVector(text, dimensions));
    await start();
    const notes = Array.from({ length: ITEMS }, (_, i) => ({ title: `Note ${i}`, text: `It is about subject${i}.` }));
    for (let from = 0; from < ITEMS; from += BATCH)
      await request('POST', '/items:batch', { items: notes.slice(from, from + BATCH) });
    await cairn.app.until(async () => {
      const { items } = await request('GET', '/projections');
      return items.find(({ name }: Loose) => name === 'vectors').checkpoint >= ITEMS;
    });
  });

  afterAll(async () => {
    if (!cairn.app.hasEnded) await cairn.stop();
    endpoint.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it('reports vectors that the table lacks, answers with the others, and finds all of them after a rebuild', async () => {
    expect(await part('vectors')).toEqual({ name: 'vectors', ok: true });
    const { hits } = await search('subject42', 'hybrid');
    expect(hits[0].title).toBe('Note 42');
    await sql('delete from vectors.embeddings where chunk_id = $1', [hits[0].chunkId]);
    await restart();
    await cairn.app.until(async () => (await nearestNote(43)) === 'Note 43');
    expect(await nearestNote(42)).not.toBe('Note 42');
    await cairn.app.until(async () => !(await part('vectors')).ok);
    expect((await part('vectors')).note).toMatch(/^1 chunk cannot be found by meaning: .*replay vectors/);
    await expect(cli('oplog', 'replay', 'vectors')).rejects.toMatchObject({ code: DIFFERENCES });
    await cli('oplog', 'promote', 'vectors', '--yes');
    await cairn.app.until(async () => (await nearestNote(42)) === 'Note 42');
    expect(await part('vectors')).toEqual({ name: 'vectors', ok: true });
  });

  it('answers from the database, and reports it, if the vectors exceed the memory for them', async () => {
    await restart({ CAIRN_VECTORS_RESIDENT_MB: '1' });
    await cairn.app.until(async () => (await nearestNote(7)) === 'Note 7');
    for (const i of [0, 150, ITEMS - 1]) expect(await nearestNote(i)).toBe(`Note ${i}`);
    const metrics = await (await fetch(`${cairn.run.url}/metrics`)).text();
    expect(metrics).toMatch(/^cairn_search_oversized_workspaces(\{[^}]*\})? 1$/m);
    expect(metrics).toMatch(/^cairn_search_resident_vectors(\{[^}]*\})? 0$/m);
    expect(await part('vectors')).toEqual({
      name: 'vectors',
      ok: true,
      note: expect.stringContaining('The vectors of 1 workspace exceed CAIRN_VECTORS_RESIDENT_MB (1)'),
    });
  });

  it('searches by keyword while the model answers with another length, and loses nothing', async () => {
    dimensions = 8;
    await restart();
    await cairn.app.until(async () => ((await part('embedder')).note ?? '').includes('8 dimensions'));
    expect((await part('embedder')).ok).toBe(false);
    const hybrid = await search('subject9', 'hybrid');
    expect([hybrid.degraded, hybrid.hits[0].title]).toEqual([true, 'Note 9']);
    expect((await search('subject9', 'semantic')).error.code).toBe(-32603);
    const { id } = await request('POST', '/items', { title: 'Written meanwhile', text: 'A quokka on an island.' });
    expect((await request('GET', `/items/${id}`)).embeddingStatus).toBe('pending');
    dimensions = DIMENSIONS;
    await restart();
    await cairn.app.until(async () => (await nearest('quokka island')) === 'Written meanwhile');
    expect(await nearestNote(9)).toBe('Note 9');
    expect((await search('subject9', 'hybrid')).degraded).toBe(false);
    expect((await part('embedder')).ok).toBe(true);
  });
});
