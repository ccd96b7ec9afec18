import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseToken } from '@cairn/auth';
import { startGatewayUnderTest, type GatewayUnderTest } from '../gateway-under-test.harness.js';

const REVOKED_WITHIN_MS = 2_000;

let gateway: GatewayUnderTest;
let urls: readonly string[];
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  urls = [gateway.url, await gateway.startReplica()];
});
afterAll(() => gateway.stop());

const clientInfo = { name: 't', version: '1' };
const INITIALIZE = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
};
const SEARCH = {
  method: 'tools/call',
  params: { name: 'search_knowledge_base', arguments: { query: 'x' } },
};

const STATELESS = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': SEARCH.params.name,
};
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const STATELESS_SEARCH = { ...SEARCH, params: { ...SEARCH.params, _meta: META } };

const send = (url: string, token: string, message?: object, headers: Record<string, string> = {}, path = '/mcp') =>
  fetch(`${url}${path}`, {
    method: message ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${token}`,
      accept: message ? 'application/json, text/event-stream' : 'text/event-stream',
      ...(message ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(message ? { body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }) } : {}),
  });

const openSession = async (url: string, token: string): Promise<Record<string, string>> => {
  const response = await send(url, token, INITIALIZE);
  await response.text();
  return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': '2025-11-25' };
};

/** The ways to hold a stream open. */
const STREAMS: Record<string, (url: string, token: string) => Promise<Response>> = {
  'GET /mcp of a session': async (url, token) => send(url, token, undefined, await openSession(url, token)),
  'GET /mcp/sse': (url, token) => send(url, token, undefined, {}, '/mcp/sse'),
};

const openAll = (token: string): Promise<Response[]> =>
  Promise.all(urls.flatMap((url) => Object.values(STREAMS).map((open) => open(url, token))));

/** Resolves when the server has ended the stream, whatever arrived on it before. */
const ended = (response: Response): Promise<void> => response.text().then(() => undefined);

const revoke = (token: string): Promise<unknown> =>
  fetch(`${gateway.url}/api/v1/tokens/${parseToken(token)!.tokenId}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${gateway.services.issue()}` },
  });

const statusOf = async (url: string, token: string): Promise<number> =>
  (await send(url, token, { method: 'tools/list' })).status;

describe.each([
  ['announced by ingest', true],
  ['whose message is lost', false],
])('a revocation %s', (_, publishesRevocations) => {
  it('ends every stream and every session of the token on both gateways, and none of another token', async () => {
    gateway.services.publishesRevocations = publishesRevocations;
    const [token, other] = [gateway.services.issue(), gateway.services.issue()];
    const [streams, others] = [await openAll(token), await openAll(other)];
    expect([...streams, ...others].map(({ status }) => status)).toEqual(Array(8).fill(200));
    let othersEnded = 0;
    for (const stream of others) void ended(stream).then(() => othersEnded++);
    const startedAt = performance.now();
    await revoke(token);
    await Promise.all(streams.map(ended));
    // The timer decides how long the second way takes; its spec has a clock of its own.
    if (publishesRevocations) expect(performance.now() - startedAt).toBeLessThan(REVOKED_WITHIN_MS);
    expect(await Promise.all(urls.map((url) => statusOf(url, token)))).toEqual([401, 401]);
    expect(await Promise.all(urls.map((url) => statusOf(url, other)))).toEqual([200, 200]);
    expect(othersEnded).toBe(0);
    await revoke(other);
  });
});

describe('an ending token', () => {
  it('ends its streams on expiry', async () => {
    const token = gateway.services.issue({ expiresAt: new Date(Date.now() + 1_500).toISOString() });
    const streams = await openAll(token);
    expect(streams.map(({ status }) => status)).toEqual(Array(4).fill(200));
    await Promise.all(streams.map(ended));
    expect(await statusOf(gateway.url, token)).toBe(401);
  });

  it('gets an error instead of a pending answer', async () => {
    gateway.services.publishesRevocations = true;
    const token = gateway.services.issue();
    const session = await openSession(gateway.url, token);
    let [waiting, release] = [0, (): void => undefined];
    const gate = new Promise<void>((resolve) => (release = resolve));
    const allWait = new Promise<void>((resolve) => {
      gateway.services.faults.set('chunks.search', () => (++waiting === 3 && resolve(), gate));
    });
    const calls = [
      send(gateway.url, token, SEARCH),
      send(gateway.url, token, STATELESS_SEARCH, STATELESS),
      send(gateway.url, token, SEARCH, session),
    ];
    await allWait;
    await revoke(token);
    const answers = await Promise.all(calls);
    release();
    gateway.services.faults.delete('chunks.search');
    for (const answer of answers) {
      expect([answer.status, await answer.json()]).toEqual([
        401,
        {
          error: 'invalid_token',
          error_description: 'the access token is not valid',
          correlationId: expect.any(String),
        },
      ]);
    }
    expect(await statusOf(gateway.url, gateway.services.issue())).toBe(200);
  });
});
