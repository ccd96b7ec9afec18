import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StandaloneProcess } from '@cairn/testing';

/** JSON from the wire, loosely typed for assertions. */
type Loose = ReturnType<typeof JSON.parse>;

/** Far longer than a restart takes, and shorter than the time after which the broker delivers again by itself. */
const RECOVERY_MS = 25_000;

describe('the standalone profile when its embedding processes are killed', () => {
  const home = mkdtempSync(join(tmpdir(), 'cairn-encoder-'));
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
  const store = async (title: string, text: string): Promise<string> =>
    (await request('POST', '/items', { title, text })).id;
  const isEmbedded = async (id: string): Promise<boolean> =>
    (await request('GET', `/items/${id}`)).embeddingStatus === 'ready';
  const embedder = async (): Promise<Loose> =>
    (await request('GET', '/status')).components.find(({ name }: Loose) => name === 'embedder');
  const semanticHits = async (query: string): Promise<Loose> => {
    const params = { name: 'search_knowledge_base', arguments: { query, mode: 'semantic' } };
    const response = await fetch(cairn.run.mcpUrl, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${cairn.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    return ((await response.json()) as Loose).result?.structuredContent?.hits;
  };

  const encoderPids = (): number[] =>
    execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes('onnx-worker.js') && Number(line.trim().split(/\s+/)[1]) === cairn.run.pid)
      .map((line) => Number(line.trim().split(/\s+/)[0]));
  const killEncoders = (): void => {
    for (const pid of encoderPids()) process.kill(pid, 'SIGKILL');
  };

  beforeAll(async () => {
    cairn = await StandaloneProcess.start(home);
    await cairn.app.until(async () => (await embedder()).ok);
  });

  afterAll(async () => {
    if (!cairn.app.hasEnded) await cairn.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it('embeds the texts in progress and the following ones, and searches by meaning again', async () => {
    expect(encoderPids()).toHaveLength(2);
    const inWork = await store('In work', 'The harbour master counts the boats each evening.\n\n'.repeat(400));
    killEncoders();
    const next = await store('Next', 'A lighthouse keeper polishes the lamp at dawn.');
    await cairn.app.until(() => isEmbedded(next), RECOVERY_MS);
    await cairn.app.until(() => isEmbedded(inWork), RECOVERY_MS);
    const hits = await semanticHits('who cleans the light in the tower');
    expect(hits.map(({ title }: Loose) => title)).toContain('Next');
    expect(encoderPids()).toHaveLength(2);
  });

  it('reports it in the status and stays ready; the status is good again after the restart', async () => {
    // A restart may be quicker than the status request, so they are killed until the status has shown it.
    await cairn.app.until(async () => {
      killEncoders();
      return !(await embedder()).ok;
    });
    expect((await fetch(`${cairn.run.url}/readyz`)).status).toBe(200);
    await cairn.app.until(async () => (await embedder()).ok, RECOVERY_MS);
    const id = await store('Afterwards', 'The ferry leaves at noon.');
    await cairn.app.until(() => isEmbedded(id), RECOVERY_MS);
  });
});
