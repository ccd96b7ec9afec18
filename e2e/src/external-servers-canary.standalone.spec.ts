import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startStubServer, textTool, type StubServer } from '@cairn/external-mcp/testing';
import { StandaloneProcess } from '@cairn/testing';
import { canary, wordsBelow } from './canaries.js';

const words = { credential: canary(), path: canary(), header: canary() };

describe('the secrets of an external server', () => {
  const home = mkdtempSync(join(tmpdir(), 'cairn-external-'));
  let cairn: StandaloneProcess;
  let stub: StubServer;
  let ids: string[];

  const api = async (method: string, path: string, body?: object): Promise<any> => {
    const headers = { authorization: `Bearer ${cairn.token}`, 'content-type': 'application/json' };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const text = await (await fetch(`${cairn.run.url}/api/v1${path}`, init)).text();
    return text === '' ? undefined : JSON.parse(text);
  };

  beforeAll(async () => {
    const tools = () => [textTool('look', 'seen')];
    stub = await startStubServer({ era: 'initialize', path: `/${words.path}`, bearer: words.credential, tools });
    cairn = await StandaloneProcess.start(home, { CAIRN_MCP_LOCAL_ORIGINS: stub.origin, LOG_LEVEL: 'trace' });
    const bearer = { kind: 'bearer', value: words.credential };
    const header = { kind: 'header', name: 'X-Key', value: words.header };
    const bodies = [
      { name: 'first', url: stub.url, credential: bearer },
      { name: 'second', url: stub.url, credential: header },
    ];
    const servers = [];
    for (const body of bodies) servers.push(await api('POST', '/mcp-servers', body));
    expect(servers.map(({ state }) => state)).toEqual(['connected', 'unavailable']);
    ids = servers.map(({ id }) => id);
  }, 120_000);

  afterAll(async () => {
    await cairn.stop();
    await stub.close();
    rmSync(home, { recursive: true, force: true });
  });

  it('appear in no file and in no line of the log, although the server was connected to with them', () => {
    expect(stub.requests.some(({ headers }) => headers.authorization === `Bearer ${words.credential}`)).toBe(true);
    expect(wordsBelow(home, words)).toEqual([]);
    for (const word of Object.values(words)) expect(cairn.app.output).not.toContain(word);
  });

  it('survive a restart, and are gone once the server is removed', async () => {
    await cairn.stop();
    cairn = await StandaloneProcess.start(home, { CAIRN_MCP_LOCAL_ORIGINS: stub.origin });
    expect((await api('GET', `/mcp-servers/${ids[0]}`)).state).toBe('connected');
    for (const id of ids) await api('DELETE', `/mcp-servers/${id}`);
    expect((await api('GET', '/mcp-servers')).items).toEqual([]);
    const { items } = await api('GET', '/ops?type=server.registered');
    expect(items).toHaveLength(2);
    expect(JSON.stringify(items)).not.toContain('sealed');
    await cairn.stop();
    expect(wordsBelow(home, words)).toEqual([]);
    cairn = await StandaloneProcess.start(home);
    expect((await api('GET', '/mcp-servers')).items).toEqual([]);
  }, 180_000);
});
