import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Readable } from 'node:stream';
import { fail, FETCH_CONNECT_TIMEOUT_MS } from '@cairn/contracts';
import {
  addressesOf,
  pinned,
  publicAddresses,
  resolveHost,
  type HostAddress,
  type ResolveHost,
} from './public-address.js';
import { hostOf, isInside } from './public-url.js';

/** The allowed target of requests, and the maximum size of a response. */
export interface FetchPolicy {
  /** The only origin that is contacted: a redirect or a later request to another origin is refused. */
  readonly origin: string;
  /** Origins that may be private, loopback or without TLS; compared as a whole. */
  readonly localOrigins: readonly string[];
  /** The limit for one response, or for one event if the response is a stream of events. */
  readonly bytesMax: number;
  /** Called with an error that occurs while a body is read, because the reader of the body may not report it. */
  readonly onFault?: (error: Error) => void;
  /** Called when a body has ended normally. */
  readonly onEnd?: () => void;
  /** For tests, which replace the resolver. It bypasses no check. */
  readonly resolve?: ResolveHost;
}

const NO_BODY = [101, 204, 205, 304];
const NEXT_ADDRESS_MS = 1_000;
const HEADERS = { 'user-agent': 'Cairn/1.0 (MCP client)', 'accept-encoding': 'identity' };

const refused = (message: string) => fail('url.refused', message, { field: 'url' });
const tooLarge = (limit: number) =>
  fail('url.too_large', `an answer must have at most ${limit} bytes`, { field: 'url', limit });

/**
 * The checks that need no lookup. A listed origin may be anything; every other one must be https with a name that may
 * be public.
 */
export const checkOrigin = (url: URL, localOrigins: readonly string[]): void => {
  if (url.username !== '' || url.password !== '') throw refused('url must not contain a user name or a password');
  if (localOrigins.includes(url.origin)) return;
  if (url.protocol !== 'https:') throw refused('url must start with https://');
  const host = hostOf(url);
  if (isIP(host) === 0 && isInside(host)) throw refused('url must lead to a public site');
};

const checked = async (url: URL, policy: FetchPolicy): Promise<readonly HostAddress[]> => {
  const { origin, localOrigins, resolve = resolveHost } = policy;
  if (url.origin !== origin) throw refused('the server leads to another origin');
  checkOrigin(url, localOrigins);
  return localOrigins.includes(url.origin) ? addressesOf(hostOf(url), resolve) : publicAddresses(hostOf(url), resolve);
};

const openSocket = (url: URL, addresses: readonly HostAddress[]): Socket => {
  const host = hostOf(url);
  const isTls = url.protocol === 'https:';
  const target = {
    host,
    port: Number(url.port || (isTls ? 443 : 80)),
    lookup: pinned(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
  };
  const tls = { ...(isIP(host) === 0 && { servername: host }), ALPNProtocols: ['http/1.1'], rejectUnauthorized: true };
  const socket: Socket = isTls ? connectTls({ ...target, ...tls }) : connectTcp(target);
  const late = () => socket.destroy(fail('url.unreachable', 'the server did not accept a connection in time'));
  const timer = setTimeout(late, FETCH_CONNECT_TIMEOUT_MS);
  socket.once(isTls ? 'secureConnect' : 'connect', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  return socket;
};

const NEWLINE = 0x0a;

/** The end of an event may begin in the last bytes of the chunk before: an empty line without its last newline. */
const EVENT_END_BYTES_BEFORE = 2;

/** The offset at which the last event ends, or -1. An empty line ends an event. */
const lastEventEnd = (bytes: Buffer): number => {
  for (let i = bytes.length - 1; i > 0; i--) {
    if (bytes[i] !== NEWLINE) continue;
    const before = bytes[i - 1] === 0x0d ? bytes[i - 2] : bytes[i - 1];
    if (before === NEWLINE) return i + 1;
  }
  return -1;
};

/** Passes the body on, up to the limit. A failure here is reported, and ends the stream. */
async function* bounded(response: IncomingMessage, { bytesMax, onFault, onEnd }: FetchPolicy): AsyncGenerator<Buffer> {
  const isEvents = (response.headers['content-type'] ?? '').includes('text/event-stream');
  let size = 0;
  let tail: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      const bytes = isEvents ? Buffer.concat([tail, chunk]) : chunk;
      const ended = isEvents ? lastEventEnd(bytes) - tail.length : -1;
      tail = bytes.subarray(-EVENT_END_BYTES_BEFORE);
      if (size + (ended >= 0 ? ended : chunk.length) > bytesMax) throw tooLarge(bytesMax);
      size = ended >= 0 ? chunk.length - ended : size + chunk.length;
      yield chunk;
    }
    onEnd?.();
  } catch (thrown) {
    onFault?.(thrown as Error);
    throw thrown;
  } finally {
    response.destroy();
  }
}

const responseOf = (incoming: IncomingMessage, policy: FetchPolicy): Response => {
  const { statusCode: status = 0, headers } = incoming;
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    incoming.destroy();
    throw fail('url.unsupported', 'the answer came in an encoding that was not asked for', { field: 'url' });
  }
  if (Number(headers['content-length'] ?? 0) > policy.bytesMax) {
    incoming.destroy();
    throw tooLarge(policy.bytesMax);
  }
  const shown = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || name === 'set-cookie' ? [] : [[name, String(value)] as [string, string]],
  );
  const hasBody = !NO_BODY.includes(status);
  if (!hasBody) incoming.resume();
  const body = hasBody ? (Readable.toWeb(Readable.from(bounded(incoming, policy))) as ReadableStream) : null;
  return new Response(body, { status, headers: shown });
};

const send = (
  url: URL,
  addresses: readonly HostAddress[],
  { method = 'GET', headers, body, signal }: RequestInit,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const options = {
      host: hostOf(url),
      path: `${url.pathname}${url.search}`,
      method,
      headers: { ...Object.fromEntries(new Headers(headers)), ...HEADERS, host: url.host },
      ...(signal && { signal }),
      createConnection: () => openSocket(url, addresses),
    };
    const start = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request: ClientRequest = start(options as never)
      .once('response', resolve)
      .on('error', reject);
    request.end(body ?? undefined);
  });

/**
 * A `fetch` that reaches one origin only, by addresses that were looked up once, checked and pinned. It follows no
 * redirect, keeps no connection and no cookie, and uses no proxy of the environment.
 */
export const pinnedFetch =
  (policy: FetchPolicy) =>
  async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input);
    if (init.body !== undefined && init.body !== null && typeof init.body !== 'string')
      throw fail('internal.defect', 'a pinned request has a text for its body');
    try {
      return responseOf(await send(url, await checked(url, policy), init), policy);
    } catch (thrown) {
      policy.onFault?.(thrown as Error);
      throw thrown;
    }
  };
