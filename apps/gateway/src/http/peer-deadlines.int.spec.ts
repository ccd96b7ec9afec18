import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startGatewayUnderTest, type GatewayUnderTest } from '../gateway-under-test.harness.js';
import { PEER_LIMITS, PeerDeadlines } from './peer-deadlines.js';

const LIMITS = {
  ...PEER_LIMITS,
  headersMs: 300,
  bodyIdleMs: 1_500,
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

/** A connection that sends a text, and everything it received until it was closed. */
const peer = (
  text: string,
  port = Number(new URL(gateway.url).port),
): { readonly socket: Socket; readonly closed: Promise<string> } => {
  const socket = connect(port, '127.0.0.1');
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

/** Sends a byte at intervals until the connection is closed. */
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

  it('whose headers arrive byte by byte', async () => {
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

  it('whose sign-in request arrives byte by byte', async () => {
    expect(await drip(peer(head('POST', '/api/v1/sign-in', 1_000, '')), 20)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it.each([
    ['/mcp', '"code":"input.timeout"'],
    ['/api/v1/items', '"code":"input.timeout","message":"the body did not arrive in time","field":"body"'],
  ])('whose body pauses, with a token, and the answer states the reason: %s', async (path, code) => {
    const answer = await peer(`${head('POST', path, 100)}{`).closed;
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain(code);
    expect(answer.toLowerCase()).toContain('connection: close');
  });

  it('whose body arrives byte by byte, with a token', async () => {
    expect(await drip(peer(head('POST', '/mcp', 100_000)), 20)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('whose form pauses, and the memory it held is released', async () => {
    const form = head('POST', '/api/v1/items', 10_000).replace('application/json', 'multipart/form-data; boundary=x');
    const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nbegin';
    expect(await peer(form + part).closed).toMatch(/^HTTP\/1\.1 408 /);
  });
});

/** A server that answers a complete body with 200, and its peers, on a clock that the test advances. */
const serverOnItsClock = async () => {
  let now = 0;
  const requests = new EventEmitter();
  const server = createServer((req, res) => {
    req.on('data', (part: Buffer) => requests.emit('data', part.length));
    req.on('end', () => requests.emit('whole', res));
  });
  const refuse = (_req: IncomingMessage, res: ServerResponse): void => void res.writeHead(408).end();
  const limits = { ...PEER_LIMITS, sweepMs: PEER_LIMITS.bodyIdleMs };
  const deadlines = new PeerDeadlines(
    server,
    () => false,
    refuse,
    limits,
    () => now,
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const pass = (ms: number): void => {
    now += ms;
    deadlines.sweep();
  };
  return { server, port, requests, pass };
};

describe('with a clock of its own', () => {
  const { bytesPerSec, graceMs, bodyIdleMs } = PEER_LIMITS;
  const PIECES = 100;
  let own: Awaited<ReturnType<typeof serverOnItsClock>>;

  beforeEach(async () => {
    own = await serverOnItsClock();
  });
  afterEach(() => {
    own.server.close();
    own.server.closeAllConnections();
  });

  /** Sends pieces of one second's worth of bytes, each taking `msPerPiece`; returns the answer. */
  const sendPaced = async (msPerPiece: number): Promise<string> => {
    const { socket, closed } = peer(head('POST', '/', PIECES * bytesPerSec), own.port);
    let isClosed = false;
    void closed.then(() => (isClosed = true));
    own.requests.once('whole', (res: ServerResponse) => res.writeHead(200, { Connection: 'close' }).end());
    for (let i = 0; i < PIECES && !isClosed; i++) {
      const arrived = arrivalOf(bytesPerSec);
      socket.write(Buffer.alloc(bytesPerSec));
      await Promise.race([arrived, closed]);
      own.pass(msPerPiece);
    }
    return closed;
  };
  const arrivalOf = (bytes: number): Promise<void> =>
    new Promise((resolve) => {
      let left = bytes;
      const count = (length: number): void => {
        left -= length;
        if (left > 0) return;
        own.requests.off('data', count);
        resolve();
      };
      own.requests.on('data', count);
    });

  it('a body at the minimum rate is read to its end, even if it takes longer than any single deadline', async () => {
    expect(PIECES * 1_000).toBeGreaterThan(Math.max(graceMs, bodyIdleMs));
    expect(await sendPaced(1_000)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('a body below the minimum rate is rejected', async () => {
    expect(await sendPaced(2_000)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('an answer that takes longer than the deadlines reaches its caller', async () => {
    const whole = once(own.requests, 'whole') as Promise<[ServerResponse]>;
    const { closed } = peer(`${head('POST', '/', 2)}{}`, own.port);
    const [res] = await whole;
    own.pass(24 * 3_600_000);
    res.writeHead(200, { Connection: 'close' }).end();
    expect(await closed).toMatch(/^HTTP\/1\.1 200 /);
  });
});
