import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { mintToken } from '@cairn/auth';
import { TOOLSETS } from '@cairn/contracts';
import { TOOLS } from '@cairn/mcp-tools';
import { productRoutes } from './scope-matrix.js';
import { ALL_BUT_ADMIN } from './scope-world.js';
import { newToken, newWorkspace, rest, rpc, storeItem, underTest } from './under-test.js';

const REFUSED_WITHIN_MS = 2_000;

let admin: string;
const folderIds: string[] = [];
beforeAll(async () => {
  admin = (await newWorkspace()).token;
  for (const slug of ['one', 'two', 'three'])
    folderIds.push((await rest(admin, 'POST', '/folders', { slug, name: slug })).body.id);
});

const issue = async (grant: object): Promise<{ id: string; token: string }> => {
  const { status, body } = await rest(admin, 'POST', '/tokens', { name: 't', scopes: ['read'], ...grant });
  expect(status).toBe(201);
  return body;
};

/** Resolves as soon as the token is rejected. */
const refused = async (token: string): Promise<void> => {
  while ((await rest(token, 'GET', '/items')).status !== 401) await new Promise((resolve) => setImmediate(resolve));
};

const get = (path: string, token: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${underTest.url}${path}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...headers },
  });

describe('issuing a token', () => {
  it.each([
    ['[D-42] the scope knowledge:write_others', { scopes: ['knowledge:write_others'] }, 400, 'scopes[0]'],
    ['a scope that does not exist', { scopes: ['read', 'everything'] }, 400, 'scopes[1]'],
    ['no scope at all', { scopes: [] }, 400, 'scopes'],
    ['[G-29a] the whole library and a folder list', { isUnscoped: true, folderIds: [randomUUID()] }, 400, 'folderIds'],
    ['the scope admin without the whole library', { scopes: ['admin'], isUnscoped: false }, 400, 'isUnscoped'],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 400, 'expiresAt'],
    ['a folder that does not exist', { folderIds: [randomUUID()] }, 404, 'folderIds[0]'],
    ['an unknown toolset', { toolsets: ['tasks'] }, 400, 'toolsets[0]'],
  ])('is rejected with %s', async (_, grant, status, field) => {
    const answer = await rest(admin, 'POST', '/tokens', { name: 't', scopes: ['read'], ...grant });
    expect([answer.status, answer.body.error.field]).toEqual([status, field]);
  });

  it('[G-29a] grants a list of folders, the whole library or nothing, and reports which', async () => {
    const reach = async (grant: object) => {
      const { body } = await rest(admin, 'POST', '/tokens', { name: 't', scopes: ['read'], ...grant });
      const listed = (await rest(admin, 'GET', '/tokens?limit=100')).body.items;
      const { isUnscoped, folderIds: list, kbOnly, ...rest_ } = listed.find((token: any) => token.id === body.id);
      expect(JSON.stringify(rest_)).not.toMatch(/secret|cairn_/i);
      return { isUnscoped, folderIds: list, kbOnly };
    };
    const [one] = folderIds;
    expect(await reach({})).toEqual({ isUnscoped: false, folderIds: [], kbOnly: false });
    expect(await reach({ folderIds: [one] })).toEqual({ isUnscoped: false, folderIds: [one], kbOnly: false });
    expect(await reach({ isUnscoped: true, kbOnly: true })).toEqual({ isUnscoped: true, folderIds: [], kbOnly: true });
  });
});

describe('a token of several folders', () => {
  it('[G-29b] may write to each of them and to no other, which does not exist for it', async () => {
    const [one, two, three] = folderIds;
    const { token } = await issue({ scopes: ['read', 'write'], folderIds: [one, two] });
    for (const folderId of [one, two]) {
      const { id } = await storeItem(token, { title: 't', text: 'x', folderId });
      expect((await rest(token, 'GET', `/items/${id}`)).body.folderId).toBe(folderId);
    }
    const write = async (folderId: string | undefined) => {
      const { status, body } = await rest(token, 'POST', '/items', { title: 't', text: 'x', folderId });
      return [status, { ...body.error, correlationId: '' }];
    };
    expect(await write(three)).toEqual(await write(randomUUID()));
    expect(await write(three)).toMatchObject([404, { code: 'folder.not_found' }]);
    expect((await rest(admin, 'GET', `/items?folderId=${three}`)).body.items).toEqual([]);
  });
});

describe('toolsets', () => {
  it.each(TOOLSETS)('decide what is listed and what can be called: %s', async (toolset) => {
    const token = await newToken(admin, { scopes: ALL_BUT_ADMIN, toolsets: [toolset] });
    const { body } = await rpc(token, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const listed = body.result.tools.map((tool: any) => tool.name);
    expect(listed).toEqual(TOOLS.filter((tool) => tool.toolset === toolset).map(({ name }) => name));
    const call = async (name: string) => {
      const params = { name, arguments: {} };
      const answer = await rpc(token, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      return JSON.stringify(answer).replaceAll(name, '<name>');
    };
    const unknown = await call('no_such_tool');
    for (const { name } of TOOLS.filter((tool) => tool.toolset !== toolset)) expect(await call(name)).toBe(unknown);
  });
});

describe('an invalid token', () => {
  it('receives the same answer whether it is unknown, malformed, expired or revoked, on every route', async () => {
    const expired = await issue({ expiresAt: new Date(Date.now() + 1_000).toISOString(), isUnscoped: true });
    const revoked = await issue({ isUnscoped: true });
    expect((await rest(revoked.token, 'GET', '/items')).status).toBe(200);
    expect((await rest(admin, 'DELETE', `/tokens/${revoked.id}`)).status).toBe(204);
    await Promise.all([refused(revoked.token), refused(expired.token)]);
    const unknown = mintToken(randomUUID()).token;
    const bad = [revoked.token, expired.token, unknown, `${unknown}x`, 'not-a-token'];
    const endpoints = [
      ...['/mcp', '/mcp/messages'].map((path) => ({ method: 'POST', path })),
      { method: 'GET', path: '/mcp/sse' },
      ...(await productRoutes())
        .filter(({ access }) => access !== 'anybody')
        .map(({ method, path }) => ({ method, path: `/api/v1${path}` })),
    ];
    for (const [n, { method, path }] of endpoints.entries()) {
      // Failures are counted per address, so each route gets one kind, and only the first ones get all of them.
      const kinds = n < 4 ? bad : [bad[n % bad.length]!];
      const answers = new Set<string>();
      for (const token of kinds) {
        const response = await fetch(underTest.url + path, { method, headers: { authorization: `Bearer ${token}` } });
        const body = (await response.text()).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '');
        answers.add(`${response.status} ${response.headers.get('www-authenticate')} ${body}`);
      }
      expect([...answers]).toEqual([expect.stringContaining('401 Bearer error="invalid_token"')]);
      expect([...answers][0]).toContain('the access token is not valid');
    }
  });
});

describe('a revocation', () => {
  it('ends the token everywhere within two seconds, with its streams and its sessions, for good', async () => {
    const { id, token } = await issue({ scopes: ALL_BUT_ADMIN, isUnscoped: true });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
    const opened = await fetch(underTest.mcpUrl, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }),
    });
    await opened.text();
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id')! };
    const streams = await Promise.all([get('/mcp', token, session), get('/mcp/sse', token)]);
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    const startedAt = performance.now();
    await rest(admin, 'DELETE', `/tokens/${id}`);
    await Promise.all([refused(token), ...streams.map((stream) => stream.text())]);
    expect(performance.now() - startedAt).toBeLessThan(REFUSED_WITHIN_MS);
    expect((await get('/mcp', token, session)).status).toBe(401);
    const listed = (await rest(admin, 'GET', '/tokens?limit=100')).body.items.find((item: any) => item.id === id);
    expect(listed.revokedAt).toEqual(expect.any(String));
    expect((await rest(admin, 'DELETE', `/tokens/${id}`)).status).toBe(204);
  });

  it('is not needed to end the stream of a token that expires', async () => {
    const { token } = await issue({ isUnscoped: true, expiresAt: new Date(Date.now() + 1_500).toISOString() });
    const stream = await get('/mcp/sse', token);
    expect(stream.status).toBe(200);
    expect(await stream.text()).toContain('event: endpoint');
    expect((await rest(token, 'GET', '/items')).status).toBe(401);
  });
});
