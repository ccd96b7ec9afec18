import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StandaloneProcess } from '@cairn/testing';
import { startEmbeddingEndpoint, wordVector, type EmbeddingEndpoint } from './embedding-endpoint.js';

/** JSON from the wire, loosely typed for assertions. */
type Loose = ReturnType<typeof JSON.parse>;

const run = promisify(execFile);
const CAIRN = fileURLToPath(new URL('../../apps/cli/bin/cairn.mjs', import.meta.url));
const ITEMS = 60;
const DIMENSIONS: Readonly<Record<string, number>> = { small: 384, wide: 512 };

describe('replacing the vectors of a running Cairn', () => {
  const home = mkdtempSync(join(tmpdir(), 'cairn-reembed-'));
  let endpoint: EmbeddingEndpoint;
  let cairn: StandaloneProcess;
  /** Texts that the model `wide` may still embed; the others wait. */
  let allowed = Infinity;
  let embeddedByWide = 0;

  const request = async (method: string, path: string, body?: unknown): Promise<Loose> => {
    const headers = { authorization: `Bearer ${cairn.token}`, 'content-type': 'application/json' };
    const response = await fetch(`${cairn.run.url}/api/v1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.status === 204 ? undefined : response.json();
  };
  const store = async (title: string, text: string): Promise<string> =>
    (await request('POST', '/items', { title, text })).id;
  /** Titles by meaning alone; undefined for an answer that is an error. */
  const found = async (query: string): Promise<string[] | undefined> => {
    const params = { name: 'search_knowledge_base', arguments: { query, mode: 'semantic', limit: 5 } };
    const response = await fetch(cairn.run.mcpUrl, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${cairn.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    const { result } = (await response.json()) as Loose;
    return result?.isError === false || result?.isError === undefined
      ? result?.structuredContent?.hits?.map(({ title }: Loose) => title)
      : undefined;
  };
  const vectors = async (...args: string[]): Promise<Loose> => {
    const env = { ...process.env, CAIRN_HOME: home };
    const { stdout } = await run(process.execPath, [CAIRN, 'vectors', ...args, '--json'], { env });
    return JSON.parse(stdout);
  };
  const start = (): Promise<StandaloneProcess> =>
    StandaloneProcess.start(home, {
      EMBEDDING_URL: endpoint.url,
      EMBEDDING_MODEL: 'small',
    });
  const isComplete = async (id: string): Promise<boolean> => {
    const { chunks, vectors: counts } = await vectors('status');
    return chunks > 0 && counts[id] === chunks;
  };

  beforeAll(async () => {
    endpoint = await startEmbeddingEndpoint(async (model, text) => {
      while (model === 'wide' && embeddedByWide >= allowed) await delay(20);
      if (model === 'wide') embeddedByWide++;
      return wordVector(text, DIMENSIONS[model]!);
    });
    cairn = await start();
    for (let i = 0; i < ITEMS; i++) await store(`Note ${i} on topic${i % 6}`, `Paragraph number${i} with words.`);
    await cairn.app.until(() => isComplete('small+r2'));
  });

  afterAll(async () => {
    if (!cairn.app.hasEnded) await cairn.stop();
    endpoint.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it('finds a text by its title, which is embedded with it, and by the new title after a change', async () => {
    const id = await store('Zebra crossing', 'Some lines about nothing in particular.');
    await cairn.app.until(() => isComplete('small+r2'));
    expect((await found('zebra crossing'))![0]).toBe('Zebra crossing');
    await request('PATCH', `/items/${id}`, { title: 'Pelican harbour' });
    await cairn.app.until(async () => (await found('pelican harbour'))![0] === 'Pelican harbour');
    expect((await found('zebra crossing'))![0]).not.toBe('Pelican harbour');
  });

  it('refuses a model that cannot be opened, and says why', async () => {
    await expect(vectors('reembed', '--model', 'directory:/nowhere')).rejects.toMatchObject({
      code: 4,
      stderr: expect.stringContaining('/nowhere: it cannot be read'),
    });
    expect(await vectors('status')).toMatchObject({ live: { id: 'small+r2' } });
  });

  it('survives a kill half way, and answers every search from the old vectors until the new ones are complete', async () => {
    allowed = 20;
    const ordered = vectors('reembed', '--model', 'endpoint:wide', '--hold').catch(() => undefined);
    await cairn.app.until(() => embeddedByWide >= 20);
    await cairn.app.end('SIGKILL');
    await ordered;
    cairn = await start();
    // The embedder has loaded the old model again when a search by meaning answers.
    await cairn.app.until(async () => (await found('topic1')) !== undefined);
    const { components } = await request('GET', '/status');
    expect(components.find(({ name }: Loose) => name === 'embedder').note).toContain('replaced by those of wide+r2');
    const answers: (string[] | undefined)[] = [];
    let isSearching = true;
    const searching = Promise.all(
      [0, 1].map(async (n) => {
        for (let i = n; isSearching; i += 2) answers.push(await found(`note on topic${i % 6} attempt ${i}`));
      }),
    );
    const written = await store('Written meanwhile', 'A quokka on an island.');
    const forgotten = await store('Forgotten meanwhile', 'A numbat in the forest.');
    await request('DELETE', `/items/${forgotten}`);
    allowed = Infinity;
    const status = await vectors('reembed');
    expect(status).toMatchObject({ live: { id: 'small+r2' }, next: { id: 'wide+r2', hold: true } });
    expect(status.next.parity).toMatchObject({ sampled: expect.any(Number), nextVectors: status.chunks });
    expect(await vectors('flip')).toMatchObject({ live: { id: 'wide+r2' }, previous: { id: 'small+r2' } });
    await cairn.app.until(async () => (await found('quokka island'))![0] === 'Written meanwhile');
    isSearching = false;
    await searching;
    expect(answers.length).toBeGreaterThan(20);
    expect(answers.filter((titles) => titles === undefined || titles.length === 0)).toEqual([]);
    expect(answers.flat()).not.toContain('Forgotten meanwhile');
    expect(await found('numbat forest')).not.toContain('Forgotten meanwhile');
    expect((await request('GET', `/items/${written}`)).embeddingStatus).toBe('ready');
  });

  it('keeps the chosen model over a restart, rolls back, and removes what is no longer kept', async () => {
    await cairn.stop();
    cairn = await start();
    await cairn.app.until(async () => ((await found('quokka island')) ?? [])[0] === 'Written meanwhile');
    expect(await vectors('status')).toMatchObject({ live: { id: 'wide+r2' } });
    expect(await vectors('rollback', '--yes')).toMatchObject({ live: { id: 'small+r2' } });
    await store('Written after the rollback', 'A dugong in the bay.');
    await cairn.app.until(async () => (await found('dugong bay'))![0] === 'Written after the rollback');
    await vectors('drop', '--yes');
    await cairn.app.until(async () => (await vectors('status')).dropped.length === 0);
    expect(await vectors('status')).toMatchObject({ live: { id: 'small+r2' } });
    expect((await found('quokka island'))![0]).toBe('Written meanwhile');
  });
});
