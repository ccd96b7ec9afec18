import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BODY_BYTES_MAX } from '@cairn/contracts';
import { SAFE_HEADERS } from '@cairn/observability';
import { FAILED_AUTH_PER_MINUTE_MAX } from '../auth/failed-auth-limit.js';
import { startGatewayUnderTest, type GatewayUnderTest } from '../gateway-under-test.harness.js';
import { PEER_LIMITS } from './peer-deadlines.js';

let gateway: GatewayUnderTest;
let token: string;

beforeAll(async () => {
  gateway = await startGatewayUnderTest({ peerLimits: { ...PEER_LIMITS, headersMs: 1_000, sweepMs: 20 } });
  token = gateway.services.issue({ scopes: ['admin'], isUnscoped: true });
}, 60_000);
afterAll(() => gateway.stop());

/** Everything up to the end of the connection. */
const raw = (text: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    let received = '';
    socket.on('data', (part) => (received += part.toString('latin1')));
    socket.on('error', () => undefined).once('close', () => resolve(received));
    socket.write(text);
  });

const request = (method: string, path: string, headers: Record<string, string> = {}, body = ''): string => {
  const all = {
    host: '127.0.0.1',
    connection: 'close',
    ...(body && { 'content-length': String(body.length) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
};

const auth = () => ({ authorization: `Bearer ${token}` });
const json = { 'content-type': 'application/json' };
const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

const REQUESTS: Record<string, readonly [status: number, text: () => string]> = {
  'the console': [503, () => request('GET', '/')],
  'a page of the console': [503, () => request('HEAD', '/search')],
  'a wrong method at the console': [405, () => request('POST', '/')],
  'an address where nothing is': [404, () => request('GET', '/nowhere')],
  'an address where nothing is, for a browser': [404, () => request('GET', '/nowhere', { accept: 'text/html' })],
  healthz: [200, () => request('GET', '/healthz')],
  readyz: [200, () => request('GET', '/readyz')],
  metrics: [200, () => request('GET', '/metrics')],
  'the metadata of the resource': [200, () => request('GET', '/.well-known/oauth-protected-resource/mcp')],
  'the OpenAPI document': [200, () => request('GET', '/api/v1/openapi.json')],
  'the page of the OpenAPI document': [200, () => request('GET', '/api/v1/docs')],
  'REST with a token': [200, () => request('GET', '/api/v1/items', auth())],
  'REST without a token': [401, () => request('GET', '/api/v1/items')],
  'REST where nothing is': [404, () => request('GET', '/api/v1/nowhere', auth())],
  'REST with bad input': [400, () => request('POST', '/api/v1/items', { ...auth(), ...json }, '{}')],
  'REST without an answer': [
    404,
    () => request('DELETE', `/api/v1/tokens/${'0'.repeat(8)}-0000-0000-0000-000000000000`, auth()),
  ],
  'a sign-in': [400, () => request('POST', '/api/v1/sign-in', json, '{}')],
  'MCP with a token': [200, () => request('POST', '/mcp', { ...auth(), ...json, accept: '*/*' }, ping)],
  'MCP without a token': [401, () => request('POST', '/mcp', json, ping)],
  'MCP with bad input': [400, () => request('POST', '/mcp', { ...auth(), ...json }, '{')],
  'MCP with a wrong method': [405, () => request('PUT', '/mcp', auth())],
  'an unknown session': [404, () => request('GET', '/mcp', { ...auth(), 'mcp-session-id': 'x' })],
  'a preflight': [204, () => request('OPTIONS', '/mcp', { origin: 'https://app.example.com', 'access-control-request-method': 'POST' })], // prettier-ignore
  'a foreign origin': [
    403,
    () => request('POST', '/mcp', { ...auth(), ...json, origin: 'https://evil.example' }, ping),
  ],
  'a foreign host': [403, () => request('GET', '/api/v1/items', { host: 'evil.example' })],
  'a body that is too large': [413, () => request('POST', '/mcp', { ...auth(), ...json, 'content-length': String(BODY_BYTES_MAX + 1) })], // prettier-ignore
  'what is not HTTP': [400, () => 'hello\r\n\r\n'],
  'headers that are too long': [431, () => request('GET', '/healthz', { padding: 'x'.repeat(20_000) })],
  'headers that do not end': [408, () => 'GET /healthz HTTP/1.1\r\nHo'],
};

const SAFE = Object.entries(SAFE_HEADERS);

describe('the headers against content sniffing and leaks', () => {
  it.each(Object.keys(REQUESTS))('are on the answer to %s', async (name) => {
    const [status, text] = REQUESTS[name]!;
    const answer = await raw(text());
    const head = answer.split('\r\n\r\n', 1)[0]!.toLowerCase();
    expect(head).toMatch(new RegExp(`^http/1.1 ${status} `));
    for (const [header, value] of SAFE) expect(head).toContain(`\r\n${header}: ${value}`);
  });

  it.each(['/mcp/sse', '/api/v1/events'])('are on the stream of %s', async (path) => {
    const hangUp = new AbortController();
    const { headers } = await fetch(`${gateway.url}${path}`, { headers: auth(), signal: hangUp.signal });
    for (const [header, value] of SAFE) expect(headers.get(header)).toBe(value);
    hangUp.abort();
  });

  it('keep the page of the OpenAPI document out of frames', async () => {
    const { headers } = await fetch(`${gateway.url}/api/v1/docs`);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
  });
});

it('rejected authentications beyond the limit are counted', async () => {
  const refused = async () => (await gateway.metrics.authRefused.get()).values[0]?.value ?? 0;
  const bad = () => fetch(`${gateway.url}/api/v1/whoami`, { headers: { authorization: 'Bearer x' } });
  for (let i = 0; i < FAILED_AUTH_PER_MINUTE_MAX; i++) if ((await bad()).status === 429) break;
  const before = await refused();
  const mcp = await gateway.post(ping, { token: 'x' });
  expect([(await bad()).status, mcp.status]).toEqual([429, 429]);
  expect(await refused()).toBe(before + 2);
});
