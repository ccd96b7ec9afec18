import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { STREAM_UNREAD_BYTES_MAX, STREAMS_PER_TOKEN_MAX } from '@cairn/contracts';
import { startGatewayUnderTest, type GatewayUnderTest } from '../gateway-under-test.harness.js';

let gateway: GatewayUnderTest;
let token: string;
let hangUp: AbortController;

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
}, 60_000);
afterAll(() => gateway.stop());
beforeEach(() => {
  hangUp = new AbortController();
  token = gateway.services.issue({ scopes: ['admin'], isUnscoped: true });
});
afterEach(() => hangUp.abort());

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${gateway.url}${path}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...headers },
    signal: hangUp.signal,
  });

const session = async (): Promise<Record<string, string>> => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const response = await gateway.post({ jsonrpc: '2.0', id: 0, method: 'initialize', params }, { token });
  return { 'mcp-session-id': response.headers.get('mcp-session-id')! };
};

const KINDS: Record<string, () => Promise<Response>> = {
  'GET /mcp': async () => get('/mcp', await session()),
  'GET /mcp/sse': () => get('/mcp/sse'),
  'GET /api/v1/events': () => get('/api/v1/events'),
};

describe('the cap on open streams of a token', () => {
  it.each(Object.keys(KINDS))('holds for %s alone', async (kind) => {
    for (let i = 0; i < STREAMS_PER_TOKEN_MAX; i++) expect((await KINDS[kind]!()).status).toBe(200);
    expect((await KINDS[kind]!()).status).toBe(429);
  });

  it('holds for all kinds together', async () => {
    const kinds = Object.values(KINDS);
    for (let i = 0; i < STREAMS_PER_TOKEN_MAX; i++) expect((await kinds[i % kinds.length]!()).status).toBe(200);
    for (const open of kinds) expect((await open()).status).toBe(429);
  });

  it('leaves the session of a refused GET /mcp usable', async () => {
    for (let i = 0; i < STREAMS_PER_TOKEN_MAX; i++) await KINDS['GET /mcp/sse']!();
    const headers = await session();
    expect((await get('/mcp', headers)).status).toBe(429);
    expect((await gateway.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { token, headers })).status).toBe(200);
  });
});

/** Opens `/mcp/sse` and reads until the address for messages. */
const openSse = async (): Promise<{ readonly socket: Socket; readonly path: string }> => {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`GET /mcp/sse HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  for (let text = ''; ;) {
    text += String((await once(socket, 'data'))[0]);
    const path = /data: (\S+)/.exec(text)?.[1];
    if (path !== undefined) return { socket, path };
  }
};

const stored = async (text: string): Promise<string> => {
  const response = await fetch(`${gateway.url}/api/v1/items`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Long', text }),
  });
  return ((await response.json()) as { id: string }).id;
};

const ask = (path: string, itemId: string) =>
  gateway.post(
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_item', arguments: { item_id: itemId } } },
    { token, path },
  );

describe('a stream whose client does not read', () => {
  const LETTERS = 400_000;
  /** Each answer contains the text twice; the kernel buffers some megabytes at either end. */
  const ANSWERS_MAX = (STREAM_UNREAD_BYTES_MAX + 32 * 1_048_576) / LETTERS;

  it('is closed, and its place becomes free', async () => {
    const itemId = await stored('x'.repeat(LETTERS));
    const { socket, path } = await openSse();
    socket.pause();
    let answers = 0;
    while ((await ask(path, itemId)).status === 202) expect(++answers).toBeLessThan(ANSWERS_MAX);
    for (let i = 0; i < STREAMS_PER_TOKEN_MAX; i++) expect((await KINDS['GET /mcp/sse']!()).status).toBe(200);
    socket.destroy();
  }, 30_000);

  it('delivers everything once the client reads', async () => {
    const itemId = await stored('x'.repeat(LETTERS));
    const { socket, path } = await openSse();
    socket.pause();
    for (let i = 0; i < 3; i++) expect((await ask(path, itemId)).status).toBe(202);
    let received = 0;
    const whole = new Promise<void>((resolve) =>
      socket.on('data', (part: Buffer) => (received += part.length) > 3 * 2 * LETTERS && resolve()),
    );
    socket.resume();
    await whole;
    socket.destroy();
  });
});
