import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fail, STREAMS_PER_TOKEN_MAX } from '@cairn/contracts';
import { startGatewayUnderTest, type GatewayUnderTest } from '../gateway-under-test.harness.js';

/** JSON from the wire, loosely typed for assertions. */
type Loose = ReturnType<typeof JSON.parse>;

let gateway: GatewayUnderTest;
let token: string;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  token = gateway.services.issue();
});
afterAll(() => gateway.stop());

const search = (args: object = { query: 'x' }, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'search_knowledge_base', arguments: args },
});

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const modernHeaders = (method: string, name?: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name ? { 'mcp-name': name } : {}),
});
const modernSearch = (args: object = { query: 'x' }, id: unknown = 1) => {
  const message = search(args, id);
  return { ...message, params: { ...message.params, _meta: META } };
};
const MODERN = { headers: modernHeaders('tools/call', 'search_knowledge_base') };

const initialize = async (sessionToken = token): Promise<string> => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const response = await gateway.post({ jsonrpc: '2.0', id: 0, method: 'initialize', params }, { token: sessionToken });
  await response.text();
  return response.headers.get('mcp-session-id') ?? '';
};

/** The JSON-RPC answer, whether it arrived as JSON or as an event of a stream. */
const answerOf = async (response: Response): Promise<Loose> => {
  const text = await response.text();
  const data = /^data: (.*)$/m.exec(text)?.[1];
  return JSON.parse(data ?? text);
};

describe('a bare post', () => {
  it('[G-17] [G-18] answers the spec’s example call verbatim, without a session, as JSON', async () => {
    await gateway.post({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'store_knowledge',
        arguments: { title: 'Tokens', body: 'How to scope a token to multiple folders.' },
      },
    });
    const response = await gateway.post(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_knowledge_base","arguments":' +
        '{"query":"How do I scope a token to multiple folders?","limit":5,"mode":"hybrid"}}}',
      { headers: { accept: '*/*' } },
    );
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('application/json');
    const { id, result } = await answerOf(response);
    expect(id).toBe(1);
    expect(result.structuredContent.hits[0].title).toBe('Tokens');
  });

  it('answers each message of a batch separately', async () => {
    const response = await gateway.post([search({ query: 'x' }, 'a'), search({}, 'b')]);
    const answers = await answerOf(response);
    expect(answers.map((answer: Loose) => [answer.id, answer.error?.code])).toEqual(
      expect.arrayContaining([
        ['a', undefined],
        ['b', -32602],
      ]),
    );
  });

  it('accepts a notification without an answer', async () => {
    const response = await gateway.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(response.status).toBe(202);
  });

  it('accepts logging/setLevel and ping', async () => {
    for (const message of [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 1, method: 'logging/setLevel', params: { level: 'info' } },
    ]) {
      expect(await answerOf(await gateway.post(message))).toMatchObject({ id: 1, result: {} });
    }
  });
});

describe('the stateless era', () => {
  it('marks lists and reads as private and not cacheable', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } };
    const { result } = await answerOf(await gateway.post(list, { headers: modernHeaders('tools/list') }));
    expect(result).toMatchObject({ ttlMs: 0, cacheScope: 'private', resultType: 'complete' });
  });

  it('answers server/discover with the one revision it serves', async () => {
    const probe = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: META } };
    const { result } = await answerOf(await gateway.post(probe, { headers: modernHeaders('server/discover') }));
    expect(result.supportedVersions).toEqual(['2026-07-28']);
  });

  it('answers an unknown method with 404 and -32601', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'no/such', params: { _meta: META } };
    const response = await gateway.post(message, { headers: modernHeaders('no/such') });
    expect(response.status).toBe(404);
    expect((await answerOf(response)).error.code).toBe(-32601);
  });

  it.each([
    ['a wrong Mcp-Name', modernSearch(), modernHeaders('tools/call', 'get_item'), 400, -32020],
    ['the header without _meta', search(), modernHeaders('tools/call', 'search_knowledge_base'), 400, -32602],
    ['_meta without the header', modernSearch(), {}, 400, -32020],
    ['a batch', [modernSearch()], modernHeaders('tools/call', 'search_knowledge_base'), 400, -32600],
  ])('rejects %s', async (_, body, headers, status, code) => {
    const response = await gateway.post(body, { headers: headers });
    expect(response.status).toBe(status);
    expect((await answerOf(response)).error.code).toBe(code);
  });
});

describe('sessions', () => {
  it('last until they are deleted', async () => {
    const sid = await initialize();
    const headers = { 'mcp-session-id': sid };
    expect(sid.length).toBeGreaterThanOrEqual(22);
    expect((await gateway.post(search(), { token, headers })).status).toBe(200);
    const auth = { authorization: `Bearer ${token}`, ...headers };
    expect((await fetch(`${gateway.url}/mcp`, { method: 'DELETE', headers: auth })).status).toBe(200);
    const after = await gateway.post(search(), { token, headers });
    expect([after.status, (await answerOf(after)).error.code]).toEqual([404, -32001]);
  });

  it('belong to their token: another token gets 404', async () => {
    const sid = await initialize();
    const stranger = gateway.services.issue();
    const response = await gateway.post(search(), { token: stranger, headers: { 'mcp-session-id': sid } });
    expect([response.status, (await answerOf(response)).error.code]).toEqual([404, -32001]);
  });

  it('provide streams on GET', async () => {
    const sid = await initialize();
    const headers = { authorization: `Bearer ${token}`, 'mcp-session-id': sid, accept: 'text/event-stream' };
    const hangUp = new AbortController();
    for (let i = 0; i < 2; i++) {
      const stream = await fetch(`${gateway.url}/mcp`, { headers, signal: hangUp.signal });
      expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    }
    hangUp.abort();
  });

  it('are optional for POST, and required for GET and DELETE', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(`${gateway.url}/mcp`, { method, headers: { authorization: `Bearer ${token}` } });
      expect([response.status, (await answerOf(response)).error.code]).toEqual([400, -32000]);
    }
  });
});

describe('read-your-writes', () => {
  it('adds the position of a token’s last write to its own queries only', async () => {
    const writer = gateway.services.issue();
    const call = (name: string, args: object, as: string) =>
      gateway.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }, { token: as });
    const { result } = await answerOf(await call('store_knowledge', { title: 't', body: 'b' }, writer));
    await call('search_knowledge', { query: 'b' }, writer);
    expect(gateway.services.seen.at(-1)?.request.atLeast).toBe(result.structuredContent.position);
    await call('search_knowledge', { query: 'b' }, gateway.services.issue());
    expect(gateway.services.seen.at(-1)?.request.atLeast).toBeUndefined();
  });
});

describe('overload', () => {
  it('answers with a retryable busy error above 64 queries in flight per workspace', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    gateway.services.faults.set('items.search', () => gate);
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search_knowledge', arguments: { query: 'x' } },
    };
    const answers = Array.from({ length: 80 }, () => gateway.post(call, { token }).then(answerOf));
    let early: Loose[] = [];
    // Sixteen too many: these are answered while the others still wait behind the gate.
    await new Promise<void>((resolve) => {
      for (const answer of answers) void answer.then((got) => (early = [...early, got]).length === 16 && resolve());
    });
    for (const { result } of early) {
      expect(result.structuredContent).toMatchObject({ code: 'busy', retry: true, limit: 64 });
    }
    release();
    gateway.services.faults.delete('items.search');
    const all = await Promise.all(answers);
    expect(all.filter((answer) => answer.result.isError)).toHaveLength(16);
  });
});

describe('a token that cannot be looked up', () => {
  it.each([
    ['POST', '/mcp'],
    ['GET', '/mcp/sse'],
  ])('%s %s answers 503 with the time to retry', async (method, path) => {
    gateway.services.faults.set('token.resolve', () => Promise.reject(fail('projection.unavailable', 'unavailable')));
    const headers = { authorization: `Bearer ${gateway.services.issue()}`, 'content-type': 'application/json' };
    const body = method === 'POST' ? { body: JSON.stringify(search()) } : {};
    const response = await fetch(`${gateway.url}${path}`, { method, headers, ...body });
    gateway.services.faults.delete('token.resolve');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    const { error } = await answerOf(response);
    expect(error).toMatchObject({ code: -32603, data: { code: 'projection.unavailable', retry: true } });
  });
});

describe('the credential', () => {
  const post = (authorization?: string) =>
    fetch(`${gateway.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) },
      body: JSON.stringify(search()),
    });

  it('is required: 401 points to more information', async () => {
    const response = await post();
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer scope="read", resource_metadata="${gateway.url}/.well-known/oauth-protected-resource/mcp"`,
    );
    const metadata = await fetch(`${gateway.url}/.well-known/oauth-protected-resource/mcp`);
    expect(await metadata.json()).toMatchObject({
      resource: `${gateway.url}/mcp`,
      scopes_supported: expect.arrayContaining(['read']),
    });
  });

  it('is rejected with one wording whether garbled, unknown, expired or revoked', async () => {
    const expired = gateway.services.issue({ expiresAt: '2020-01-01T00:00:00.000Z' });
    const good = gateway.services.issue();
    const texts = new Set<string>();
    for (const bad of ['cairn_x', expired, `${good.slice(0, -1)}x`]) {
      const response = await post(`Bearer ${bad}`);
      expect(response.status).toBe(401);
      texts.add(((await response.json()) as { error_description: string }).error_description);
    }
    expect(texts.size).toBe(1);
  });

  it('without the scope gets 403 insufficient_scope, or a tool error inside a batch', async () => {
    const writer = gateway.services.issue({ scopes: ['knowledge:write'] });
    for (const options of [{}, MODERN]) {
      const body = 'headers' in options ? modernSearch() : search();
      const response = await gateway.post(body, { token: writer, ...options });
      expect(response.status).toBe(403);
      expect(response.headers.get('www-authenticate')).toMatch(
        /error="insufficient_scope", scope="read", resource_metadata=/,
      );
    }
    const batch = await answerOf(await gateway.post([search()], { token: writer }));
    expect([batch].flat()[0].result).toMatchObject({ isError: true, structuredContent: { code: 'scope.missing' } });
  });
});

describe('HTTP+SSE', () => {
  const open = (sseToken: string, signal: AbortSignal) =>
    fetch(`${gateway.url}/mcp/sse`, { headers: { authorization: `Bearer ${sseToken}` }, signal });

  it(`[C-01] gives a token ${STREAMS_PER_TOKEN_MAX} streams and no more`, async () => {
    const hangUp = new AbortController();
    const crowded = gateway.services.issue();
    for (let i = 0; i < STREAMS_PER_TOKEN_MAX; i++) expect((await open(crowded, hangUp.signal)).status).toBe(200);
    expect((await open(crowded, hangUp.signal)).status).toBe(429);
    hangUp.abort();
  });

  it('[C-01] sends its message endpoint first, and accepts no posts of another token there', async () => {
    const hangUp = new AbortController();
    const response = await open(token, hangUp.signal);
    const reader = response.body!.getReader();
    const first = new TextDecoder().decode((await reader.read()).value);
    const path = /^event: endpoint\ndata: (\/mcp\/messages\?replica=[0-9a-f-]{36}&sessionId=\S+)\n\n$/.exec(first)?.[1];
    expect(path).toMatch(/sessionId=/);
    const ping = { jsonrpc: '2.0', id: 7, method: 'ping' };
    expect((await gateway.post(ping, { token: gateway.services.issue(), path: path! })).status).toBe(404);
    expect((await gateway.post(ping, { token, path: path! })).status).toBe(202);
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('"id":7');
    expect((await gateway.post(ping, { token, path: path!.replace(/sessionId=.*/, 'sessionId=unknown') })).status).toBe(
      404,
    );
    hangUp.abort();
  });

  it('answers a post to the stream’s address with 405', async () => {
    expect((await gateway.post(search(), { token, path: '/mcp/sse' })).status).toBe(405);
  });
});

describe('Host and Origin', () => {
  it.each([
    ['evil.example.com', undefined, 403],
    ['localhost', undefined, 200],
    ['localhost', 'https://app.example.com', 200],
    ['localhost', 'https://evil.example.com', 403],
    ['localhost', 'null', 403],
  ])('Host %s with Origin %s is answered %d', async (host, origin, status) => {
    const { request } = await import('node:http');
    const { port } = new URL(gateway.url);
    const got = await new Promise<number>((resolve, reject) => {
      const headers = {
        host: `${host}:${port}`,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(origin ? { origin } : {}),
      };
      const req = request({ host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers }, (res) => {
        res.resume();
        resolve(res.statusCode ?? 0);
      });
      req.on('error', reject);
      req.end(JSON.stringify(search()));
    });
    expect(got).toBe(status);
  });
});
