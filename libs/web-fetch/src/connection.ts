import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { isIP, type TcpNetConnectOpts } from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { fail } from '@cairn/contracts';
import { pinned, type HostAddress } from './public-address.js';
import { hostOf } from './public-url.js';

export type Connect = (options: ConnectionOptions & TcpNetConnectOpts) => TLSSocket;

export interface Line {
  /** Already checked; no other address is ever connected to. */
  readonly addresses: readonly HostAddress[];
  readonly connect: Connect;
  readonly connectTimeoutMs: number;
  readonly signal: AbortSignal;
}

const HTTPS_PORT = 443;
/** Delay before the next address of the host is tried in parallel to a slow one. */
const NEXT_ADDRESS_MS = 1_000;

const HEADERS = {
  'user-agent': 'Cairn/1.0 (fetches single pages at the request of a user)',
  accept: 'text/html, text/markdown, text/plain, application/pdf, application/json;q=0.9, */*;q=0.1',
  'accept-encoding': 'gzip, identity',
};

const openLine = (host: string, { addresses, connect, connectTimeoutMs }: Line): TLSSocket => {
  const socket = connect({
    host,
    port: HTTPS_PORT,
    lookup: pinned(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    // A certificate can name an address, but the server name of the TLS handshake cannot.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['http/1.1'],
    // Explicit, because an environment variable could change the default.
    rejectUnauthorized: true,
  });
  const seconds = connectTimeoutMs / 1000;
  const late = () => fail('url.unreachable', `the site did not accept a connection within ${seconds} s`);
  const timer = setTimeout(() => socket.destroy(late()), connectTimeoutMs);
  socket.once('secureConnect', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  return socket;
};

/**
 * One GET on a separate connection. No agent: no connection is kept or shared, and no proxy of the environment is used.
 */
export const getOnce = (url: URL, line: Line): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const host = hostOf(url);
    request({
      host,
      path: `${url.pathname}${url.search}`,
      headers: { ...HEADERS, host: url.host },
      signal: line.signal,
      createConnection: () => openLine(host, line),
    })
      .once('response', resolve)
      .on('error', reject)
      .end();
  });
