import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { isIP, type LookupFunction, type TcpNetConnectOpts } from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { fail } from '@cairn/contracts';
import type { HostAddress } from './public-address.js';
import { hostOf } from './public-url.js';

export type Connect = (options: ConnectionOptions & TcpNetConnectOpts) => TLSSocket;

export interface Line {
  /** Checked before; nothing else is ever connected to. */
  readonly addresses: readonly HostAddress[];
  readonly connect: Connect;
  readonly connectTimeoutMs: number;
  readonly signal: AbortSignal;
}

const HTTPS_PORT = 443;
/** Before the next address of the same host is tried beside a slow one. */
const NEXT_ADDRESS_MS = 1_000;

const HEADERS = {
  'user-agent': 'Cairn/1.0 (fetches single pages at the request of a user)',
  accept: 'text/html, text/markdown, text/plain, application/pdf, application/json;q=0.9, */*;q=0.1',
  'accept-encoding': 'gzip, identity',
};

/** Answers with the pinned addresses whatever is asked, so that no second look-up can give others (DNS rebinding). */
const pinned =
  (addresses: readonly HostAddress[]): LookupFunction =>
  (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first!.address, first!.family);
  };

const openLine = (host: string, { addresses, connect, connectTimeoutMs }: Line): TLSSocket => {
  const socket = connect({
    host,
    port: HTTPS_PORT,
    lookup: pinned(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    // A certificate can name an address, but the greeting of TLS cannot.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['http/1.1'],
    // Said aloud, because an environment variable could change the default.
    rejectUnauthorized: true,
  });
  const seconds = connectTimeoutMs / 1000;
  const late = () => fail('url.unreachable', `the site did not accept a connection within ${seconds} s`);
  const timer = setTimeout(() => socket.destroy(late()), connectTimeoutMs);
  socket.once('secureConnect', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  return socket;
};

/**
 * One GET on a connection of its own. No agent: nothing is kept or shared, and no proxy of the environment gets in between.
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
