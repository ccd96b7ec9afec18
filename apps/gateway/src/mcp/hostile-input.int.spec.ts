import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startGatewayUnderTest, type GatewayUnderTest } from '../gateway-under-test.harness.js';

/** JSON from the wire, loosely typed for assertions. */
type Loose = ReturnType<typeof JSON.parse>;

let gateway: GatewayUnderTest;
let sessionId: string;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const response = await gateway.post({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  await response.text();
  sessionId = response.headers.get('mcp-session-id') ?? '';
});
afterAll(() => gateway.stop());

const META =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}';

/** A call whose arguments are given as JSON text, so they can be anything. */
const call = (args: string, isModern: boolean, id = '1') =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"store_knowledge","arguments":${args}${isModern ? `,${META}` : ''}}}`;

const nested = (depth: number) => `{"title":${'['.repeat(depth)}${']'.repeat(depth)},"body":"b"}`;
const entry = '"title":"t","body":"b"';
const PROTO = JSON.stringify('{"taskId":"1","kind":"produced","__proto__":{"admin":true}}');

interface Row {
  readonly name: string;
  readonly body: string | Uint8Array | ((isModern: boolean) => string | Uint8Array);
  readonly headers?: Record<string, string>;
  readonly status: number;
  readonly code: number;
  readonly field?: string;
  readonly limit?: number;
}

const ROWS: readonly Row[] = [
  { name: 'an empty body', body: '', status: 400, code: -32700, field: 'body' },
  { name: '{{{', body: '{{{', status: 400, code: -32700, field: 'body' },
  { name: 'null', body: 'null', status: 400, code: -32600, field: 'body' },
  { name: '42', body: '42', status: 400, code: -32600, field: 'body' },
  { name: 'a string', body: '"x"', status: 400, code: -32600, field: 'body' },
  { name: '{}', body: '{}', status: 400, code: -32600, field: 'jsonrpc' },
  { name: '[]', body: '[]', status: 400, code: -32600, field: 'body' },
  {
    name: 'jsonrpc 1.0',
    body: '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    status: 400,
    code: -32600,
    field: 'jsonrpc',
  },
  { name: 'no method', body: '{"jsonrpc":"2.0","id":1}', status: 400, code: -32600, field: 'method' },
  {
    name: 'a method that is not a string',
    body: '{"jsonrpc":"2.0","id":1,"method":7}',
    status: 400,
    code: -32600,
    field: 'method',
  },
  {
    name: 'params that are an array',
    body: '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
    status: 400,
    code: -32600,
    field: 'params',
  },
  { name: 'id null', body: '{"jsonrpc":"2.0","id":null,"method":"ping"}', status: 400, code: -32600, field: 'id' },
  { name: 'id 1.5', body: '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', status: 400, code: -32600, field: 'id' },
  { name: 'id an object', body: '{"jsonrpc":"2.0","id":{},"method":"ping"}', status: 400, code: -32600, field: 'id' },
  {
    name: 'an id of 100 kB',
    body: (m) => call(`{${entry}}`, m, `"${'x'.repeat(100_000)}"`),
    status: 400,
    code: -32600,
    field: 'id',
    limit: 256,
  },
  {
    name: 'an id of 257 astral characters',
    body: (m) => call(`{${entry}}`, m, `"${'😀'.repeat(257)}"`),
    status: 400,
    code: -32600,
    field: 'id',
    limit: 256,
  },
  {
    name: 'a batch of 21',
    body: () => JSON.stringify(Array.from({ length: 21 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))),
    status: 400,
    code: -32600,
    field: 'body',
    limit: 20,
  },
  {
    name: 'a batch with one id twice',
    body: '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"ping"}]',
    status: 400,
    code: -32600,
    field: 'id',
  },
  {
    name: 'a body of 5 MiB',
    body: (m) => call(`{"title":"t","body":"${'x'.repeat(5 * 1024 * 1024)}"}`, m),
    status: 413,
    code: -32600,
    field: 'body',
    limit: 1_048_576,
  },
  {
    name: 'Content-Type text/plain',
    body: (m) => call(`{${entry}}`, m),
    headers: { 'content-type': 'text/plain' },
    status: 415,
    code: -32600,
  },
  {
    name: 'charset utf-16',
    body: (m) => call(`{${entry}}`, m),
    headers: { 'content-type': 'application/json; charset=utf-16' },
    status: 415,
    code: -32600,
  },
  {
    name: 'Content-Encoding gzip',
    body: (m) => call(`{${entry}}`, m),
    headers: { 'content-encoding': 'gzip' },
    status: 415,
    code: -32600,
  },
  {
    name: 'arrays nested 100 000 deep',
    body: (m) => call(nested(100_000), m),
    status: 400,
    code: -32602,
    field: 'params.arguments.title[0][0][0]',
    limit: 32,
  },
  {
    name: '60 000 values',
    body: (m) => call(`{"title":[${'1,'.repeat(60_000)}1],"body":"b"}`, m),
    status: 400,
    code: -32602,
    limit: 50_000,
  },
  {
    name: 'a NUL character outside of the arguments',
    body: (m) => call(`{${entry}}`, m).replace('"params":{', '"params":{"x":"a\\u0000b",'),
    status: 400,
    code: -32602,
    field: 'params.x',
  },
  {
    name: 'a lone surrogate in a field name',
    body: (m) => call('{"\\ud800":1}', m),
    status: 400,
    code: -32602,
    field: 'params.arguments',
  },
  {
    name: 'invalid UTF-8',
    body: (m) =>
      Buffer.concat([Buffer.from(call(`{"title":"t`, m).slice(0, 60)), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
    status: 400,
    code: -32700,
    field: 'body',
  },
  { name: 'overlong UTF-8', body: Buffer.from([0x22, 0xc0, 0x80, 0x22]), status: 400, code: -32700, field: 'body' },
  {
    name: '__proto__ in the arguments',
    body: (m) => call(`{${entry},"__proto__":{"admin":true}}`, m),
    status: 400,
    code: -32602,
    field: 'params.arguments',
  },
];

const legs = [
  ['the initialize leg', false],
  ['the stateless leg', true],
] as const;

describe.each(legs)('hostile input to %s', (_, isModern) => {
  const headersOf = (row: Pick<Row, 'headers'>): Record<string, string> => ({
    ...(isModern
      ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'store_knowledge' }
      : { 'mcp-session-id': sessionId }),
    ...row.headers,
  });

  it.each(ROWS.map((row) => [row.name, row] as const))('%s is rejected before it reaches a leg', async (_name, row) => {
    const before = gateway.services.seen.filter(({ type }) => type === 'item.store').length;
    const body = typeof row.body === 'function' ? row.body(isModern) : row.body;
    const response = await gateway.post(body, { headers: headersOf(row) });
    const { error, id } = (await response.json()) as Loose;
    expect({ status: response.status, code: error.code, id }).toEqual({ status: row.status, code: row.code, id: null });
    expect(error.data.correlationId).toMatch(/^[0-9a-f-]{36}$/);
    if (row.field) expect(error.data.field).toContain(row.field);
    if (row.limit) expect(error.data.limit).toBe(row.limit);
    expect(gateway.services.seen.filter(({ type }) => type === 'item.store')).toHaveLength(before);
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  });

  it.each([
    ['a NUL character', '{"title":"a\\u0000b","body":"b"}', 'title must not contain a NUL character'],
    ['a lone surrogate', '{"title":"t","body":"\\ud800"}', 'body must not contain a lone surrogate'],
  ])('%s in an argument is rejected by the tool, under the id of the call', async (_name, args, message) => {
    const response = await gateway.post(call(args, isModern, '"mine"'), { headers: headersOf({}) });
    const answer = await response.text();
    const { id, result } = JSON.parse(answer.slice(answer.indexOf('{')));
    const [field] = message.split(' ');
    expect([response.status, id, result.isError]).toEqual([200, 'mine', true]);
    expect(result.structuredContent).toMatchObject({ code: 'input.invalid', field, message });
  });

  it.each([
    ['a number for a text', '{"title":5,"body":"b"}', 'title'],
    ['a word for a number', '{"title":"t","body":"b","confidence":"high"}', 'confidence'],
    ['a number out of range as text', '{"title":"t","body":"b","confidence":"101"}', 'confidence'],
    ['half a list as text', '{"title":"t","body":"b","tags":"[\\"a\\""}', 'tags'],
    ['a list of numbers as text', '{"title":"t","body":"b","tags":"[1,2]"}', 'tags[0]'],
    ['an object for a list as text', '{"title":"t","body":"b","tags":"{}"}', 'tags'],
    ['a prototype inside of an object as text', `{${entry},"taskRef":${PROTO}}`, 'taskRef.__proto__'],
    ['a deep list as text', `{${entry},"tags":"${'['.repeat(30_000)}${']'.repeat(30_000)}"}`, 'tags[0]'],
    ['a long list as text', `{${entry},"tags":"[${'1,'.repeat(200_000)}1]"}`, 'tags'],
    ['a NUL character inside of a list as text', `{${entry},"tags":"[\\"a\\\\u0000\\"]"}`, 'tags[0]'],
  ])('%s is rejected by the tool, and nothing is stored', async (_name, args, field) => {
    const stores = () => gateway.services.seen.filter(({ type }) => type === 'item.store').length;
    const before = stores();
    const answer = await (await gateway.post(call(args, isModern), { headers: headersOf({}) })).text();
    const { result } = JSON.parse(answer.slice(answer.indexOf('{')));
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'input.invalid', field } });
    expect(stores()).toBe(before);
  });

  it('[G-30] a NUL character in a query of search_knowledge_base is -32602', async () => {
    const body = call('{"query":"a\\u0000b"}', isModern).replace('store_knowledge', 'search_knowledge_base');
    const headers = { ...headersOf({}), ...(isModern && { 'mcp-name': 'search_knowledge_base' }) };
    const answer = await (await gateway.post(body, { headers })).text();
    const { id, error } = JSON.parse(answer.slice(answer.indexOf('{')));
    expect({ id, code: error.code, field: error.data.field }).toEqual({ id: 1, code: -32602, field: 'query' });
  });

  it.each(['PUT', 'PATCH', 'HEAD', 'OPTIONS'])('%s is answered 405', async (method) => {
    const token = gateway.services.issue();
    const response = await fetch(`${gateway.url}/mcp`, { method, headers: { authorization: `Bearer ${token}` } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST, DELETE']);
  });

  it('a duplicate key is accepted: the last one counts', async () => {
    const response = await gateway.post(call(`{"title":"first",${entry}}`, isModern), { headers: headersOf({}) });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('embeddingStatus');
  });

  it('an unknown version header is 400', async () => {
    const headers = { ...headersOf({}), 'mcp-protocol-version': '2099-01-01' };
    expect((await gateway.post(call(`{${entry}}`, isModern), { headers })).status).toBe(400);
  });

  it('a call without a name, or with arguments that are not an object, is rejected with the reason', async () => {
    const meta = isModern ? `,${META}` : '';
    const nameless = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{}${meta}}}`;
    const first = await gateway.post(nameless, { headers: headersOf({}) });
    expect(await first.text()).toMatch(/"code":-32(602|020)/);
    const second = await gateway.post(call('[1]', isModern), { headers: headersOf({}) });
    expect(await second.text()).toMatch(/input\.invalid|-32602/);
  });
});

describe('hostile requests on the initialize leg', () => {
  it('get 406 when they do not accept both content types of a session', async () => {
    const headers = { 'mcp-session-id': sessionId, accept: 'application/json' };
    const response = await gateway.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { headers });
    expect(response.status).toBe(406);
  });

  it('get 404 for an unknown session', async () => {
    const response = await gateway.post(
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { headers: { 'mcp-session-id': 'x' } },
    );
    expect(response.status).toBe(404);
  });

  it('get 400 for a second initialize on a session', async () => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
    const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    const response = await gateway.post(message, { headers: { 'mcp-session-id': sessionId } });
    expect([response.status, ((await response.json()) as Loose).error.code]).toEqual([400, -32600]);
  });

  it('get -32601 for an unknown method', async () => {
    const response = await gateway.post({ jsonrpc: '2.0', id: 1, method: 'no/such' });
    expect([response.status, ((await response.json()) as Loose).error.code]).toEqual([200, -32601]);
  });

  it('end in 413 even when a body without a declared length grows too long', async () => {
    const token = gateway.services.issue();
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(64 * 1024).fill(0x20));
        if (++pulls === 32) controller.close();
      },
    });
    let pulls = 0;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    expect((await fetch(`${gateway.url}/mcp`, init)).status).toBe(413);
  });

  it('are rejected by the token check before the body is read', async () => {
    const response = await gateway.post('{{{', { token: 'cairn_garbage' });
    expect(response.status).toBe(401);
  });
});
