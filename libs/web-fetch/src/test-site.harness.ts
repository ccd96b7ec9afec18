import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { RequestListener } from 'node:http';
import { isIP, type AddressInfo, type LookupFunction } from 'node:net';
import { checkServerIdentity, connect as connectTls } from 'node:tls';
import type { Connect } from './connection.js';
import type { FetchOptions } from './fetch-public.js';
import type { HostAddress } from './public-address.js';
import { testCertificate } from '@cairn/testing';

export const SITE_NAME = 'docs.example.com';
/** A public address. Nothing is sent there: the test connects to the local server instead. */
export const SITE_ADDRESS: HostAddress = { address: '93.184.215.14', family: 4 };
const LOCAL: HostAddress = { address: '127.0.0.1', family: 4 };

export interface TestSite {
  readonly server: Server;
  readonly options: FetchOptions;
  /** The addresses of each connection that was opened. */
  readonly dialled: string[][];
  /** The names that were looked up. */
  readonly lookedUp: string[];
  close(): Promise<void>;
}

/** A real https server on this machine; a fake resolver and connection make it look like a public site. */
export const startTestSite = async (handler: RequestListener, more: FetchOptions = {}): Promise<TestSite> => {
  const certificate = testCertificate(SITE_NAME, [93, 184, 215, 14]);
  const server = createServer(certificate, handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const dialled: string[][] = [];
  const lookedUp: string[] = [];
  /** The product's options, except that the packets stay on this machine. */
  const connect: Connect = (options) => {
    const own = { ...options, port, ca: certificate.cert };
    if (isIP(options.host ?? '') !== 0) {
      dialled.push([options.host ?? '']);
      const { address } = LOCAL;
      return connectTls({
        ...own,
        host: address,
        checkServerIdentity: (_, cert) => checkServerIdentity(options.host ?? '', cert),
      });
    }
    const lookup: LookupFunction = (hostname, asked, callback) =>
      options.lookup?.(hostname, asked, (_, found) => {
        dialled.push((found as HostAddress[]).map(({ address }) => address));
        callback(null, [LOCAL]);
      });
    return connectTls({ ...own, lookup });
  };
  const resolve = (hostname: string): Promise<readonly HostAddress[]> => {
    lookedUp.push(hostname);
    return Promise.resolve([SITE_ADDRESS]);
  };
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { server, options: { resolve, connect, ...more }, dialled, lookedUp, close };
};
