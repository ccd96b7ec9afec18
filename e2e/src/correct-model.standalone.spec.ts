import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeModelServer } from '@cairn/correction/testing';
import { AppProcess } from '@cairn/local-servers';
import { StandaloneProcess } from '@cairn/testing';

const newHome = (): string => mkdtempSync(join(tmpdir(), 'cairn-home-'));

describe('corrections by a model', () => {
  const home = newHome();
  let model: FakeModelServer;
  let cairn: StandaloneProcess;

  beforeAll(async () => {
    model = await FakeModelServer.start();
    cairn = await StandaloneProcess.start(home, { CORRECTION_PROVIDER: 'ollama', CORRECTION_URL: model.url });
  });
  afterAll(async () => {
    await cairn.stop();
    rmSync(home, { recursive: true, force: true });
  });

  const post = async (path: string, body: unknown): Promise<any> => {
    const response = await fetch(`${cairn.run.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${cairn.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  const call = async (name: string, args: object): Promise<any> =>
    (await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })).result;

  it('[N-44] come from the configured model, and fail with a clean tool error once it is down', async () => {
    const text = 'The API endpoint is /v1/search.';
    const { chunkIds } = await post('/api/v1/items', { title: 'Endpoint', text });
    const [chunkId] = chunkIds;
    model.answer = 'The API endpoint is /v2/query.';
    const proposed = await call('correct', { chunkId, proposal: 'it is the query endpoint of version 2 now' });
    expect(proposed.structuredContent).toMatchObject({ originalText: text, proposedText: model.answer });
    expect(model.requests.at(-1)).toMatchObject({ path: '/api/chat', body: { model: 'llama3.2:3b-instruct-q4_K_M' } });
    const { correctionId } = proposed.structuredContent;
    expect((await call('apply', { correctionId })).structuredContent).toMatchObject({ chunkId, applied: true });

    model.answer = 'x '.repeat(5_000);
    const long = await call('correct', { chunkId, proposal: 'write an essay' });
    expect(long).toMatchObject({ isError: true, structuredContent: { code: 'correction.too_long', retry: false } });

    await model.stop();
    // A rule would match this one, but nothing replaces the model.
    const down = await call('correct', { chunkId, proposal: 'replace /v2/query with /v3/ask' });
    expect(down).toMatchObject({
      isError: true,
      structuredContent: {
        code: 'correction.unavailable',
        retry: true,
        message: 'the correction model at CORRECTION_URL is not available: it cannot be reached',
      },
    });
    expect(JSON.stringify(down)).not.toContain('127.0.0.1');
  });
});

it.each([
  [{ CORRECTION_PROVIDER: 'claude' }, 'CORRECTION_PROVIDER: must be rules, ollama or openai'],
  [{ CORRECTION_PROVIDER: 'ollama', CORRECTION_URL: 'not a url' }, 'CORRECTION_URL: must be an http or https URL'],
  [{ CORRECTION_PROVIDER: 'openai' }, 'CORRECTION_URL: is required when CORRECTION_PROVIDER is openai'],
])('a start with %j ends and names the variable', async (env, message) => {
  const home = newHome();
  const app = AppProcess.start('standalone', { CAIRN_HOME: home, CAIRN_PORT: '0', ...(env as Record<string, string>) });
  expect(await app.ended()).not.toBe(0);
  expect(app.output).toContain(message);
  rmSync(home, { recursive: true, force: true });
});
