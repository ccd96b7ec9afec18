import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startGatewayUnderTest, type GatewayUnderTest } from '../gateway-under-test.fake.js';
import { PEER_LIMITS } from './peer-deadlines.js';

const IDLE_MS = 1_500;
const LIMITS = {
  ...PEER_LIMITS,
  headersMs: 300,
  bodyIdleMs: IDLE_MS,
  graceMs: 600,
  bytesPerSec: 200,
  anonymousBodyMs: 500,
  refusedBodyMs: 300,
  sweepMs: 20,
};

let gateway: GatewayUnderTest;
let token: string;

beforeAll(async () => {
  gateway = await startGatewayUnderTest({ peerLimits: LIMITS });
  token = gateway.services.issue();
}, 60_000);
afterAll(() => gateway.stop());

/** A connection that sends what it is told to, and everything that came back by the time it is closed. */
const peer = (text: string): { readonly socket: Socket; readonly closed: Promise<string> } => {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  let received = '';
  socket.on('data', (part) => (received += part.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(text);
  return { socket, closed: new Promise((resolve) => socket.once('close', () => resolve(received))) };
};

const head = (method: string, path: string, length: number, authorization = `Bearer ${token}`): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...(authorization ? [`Authorization: ${authorization}`] : []),
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${length}`,
    '',
    '',
  ].join('\r\n');

/** A byte every now and then, until the connection is closed. */
const drip = async ({ socket, closed }: ReturnType<typeof peer>, everyMs: number): Promise<string> => {
  const timer = setInterval(() => socket.write(' '), everyMs);
  return closed.finally(() => clearInterval(timer));
};

describe('a connection is closed', () => {
  it.each([
    ['that sends nothing', ''],
    ['whose request line does not end', 'GET / HT'],
    ['whose headers do not end', 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Padding: '],
  ])('%s', async (_, text) => {
    expect(await peer(text).closed).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('whose headers come byte by byte', async () => {
    expect(await drip(peer('GET /healthz HTTP/1.1\r\nX-Padding: '), 20)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it.each([
    ['POST', '/mcp'],
    ['POST', '/mcp/messages?sessionId=x'],
    ['POST', '/api/v1/items'],
    ['POST', '/healthz'],
    ['POST', '/nowhere'],
    ['GET', '/'],
  ])('whose body stays unfinished, without a token: %s %s', async (method, path) => {
    const answer = await drip(peer(head(method, path, 100, '')), 20);
    expect(answer).toMatch(/^HTTP\/1\.1 [245]\d\d /);
    expect(answer).not.toMatch(/^HTTP\/1\.1 408 /);
  });

  it('whose sign-in comes byte by byte', async () => {
    expect(await drip(peer(head('POST', '/api/v1/sign-in', 1_000, '')), 20)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it.each([
    ['/mcp', '"code":"input.timeout"'],
    ['/api/v1/items', '"code":"input.timeout","message":"the body did not arrive in time","field":"body"'],
  ])('whose body pauses, with a token, and says why: %s', async (path, code) => {
    const answer = await peer(`${head('POST', path, 100)}{`).closed;
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain(code);
    expect(answer.toLowerCase()).toContain('connection: close');
  });

  it('whose body comes byte by byte, with a token', async () => {
    expect(await drip(peer(head('POST', '/mcp', 100_000)), 20)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('whose form pauses, and the memory it held is given back', async () => {
    const form = head('POST', '/api/v1/items', 10_000).replace('application/json', 'multipart/form-data; boundary=x');
    const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nbegin';
    expect(await peer(form + part).closed).toMatch(/^HTTP\/1\.1 408 /);
  });
});

it('a body at the minimum rate is read to its end, though it takes longer than any single deadline', async () => {
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const body = ping + ' '.repeat(3_000 - ping.length);
  const { socket, closed } = peer(head('POST', '/mcp', body.length));
  const started = performance.now();
  for (let sent = 0; sent < body.length; sent += 150) {
    socket.write(body.slice(sent, sent + 150));
    await pause(75);
  }
  expect(performance.now() - started).toBeGreaterThan(LIMITS.graceMs);
  socket.end();
  expect(await closed).toMatch(/^HTTP\/1\.1 200 /);
});

it('an answer that takes longer than the deadlines reaches its caller', async () => {
  gateway.services.faults.set('items.list', () => pause(2 * IDLE_MS));
  const response = await fetch(`${gateway.url}/api/v1/items`, { headers: { authorization: `Bearer ${token}` } });
  gateway.services.faults.clear();
  expect(response.status).toBe(200);
});
