import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readiness } from '@cairn/contracts';
import type { Metrics } from './metrics.js';

export type ReadinessCheck = () => Promise<Readiness>;

export interface OpsReply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Sent with every answer of Cairn: browsers guess no content type, and send no address to other sites. */
export const SAFE_HEADERS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' } as const;

/** The readiness of a process that answers no requests yet, however long it catches up. */
export const STARTING: Readiness = { ready: false, notes: ['starting'] };

const json = (status: number, body: unknown): OpsReply => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
});

/** Alive: the event loop answers. Nothing else is checked. */
export const healthReply = (): OpsReply => json(200, { status: 'ok' });

/** Ready: requests will be served. A check that throws means not ready. */
export const readyReply = async (check: ReadinessCheck): Promise<OpsReply> => {
  const { ready, notes } = await check().catch(() => ({ ready: false, notes: ['the readiness check failed'] }));
  return json(ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', notes });
};

export const metricsReply = async (metrics: Metrics): Promise<OpsReply> => ({
  status: 200,
  contentType: metrics.registry.contentType,
  body: await metrics.registry.metrics(),
});

export interface OpsServerOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly metrics: Metrics;
  readonly ready: ReadinessCheck;
}

export interface OpsServer {
  readonly port: number;
  close(): Promise<void>;
}

const route = (path: string, { metrics, ready }: OpsServerOptions): Promise<OpsReply> | OpsReply => {
  if (path === '/healthz') return healthReply();
  if (path === '/readyz') return readyReply(ready);
  if (path === '/metrics') return metricsReply(metrics);
  return json(404, { error: { code: 'route.not_found', message: 'route not found' } });
};

const answer = async (request: IncomingMessage, response: ServerResponse, options: OpsServerOptions): Promise<void> => {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  const reply = isRead ? await route(path, options) : json(405, { error: { code: 'route.method_not_allowed' } });
  const headers = { ...SAFE_HEADERS, 'content-type': reply.contentType, 'cache-control': 'no-store' };
  response.writeHead(reply.status, headers);
  response.end(request.method === 'HEAD' ? undefined : reply.body);
};

/** `/healthz`, `/readyz` and `/metrics` of a service that serves no other HTTP. */
export const startOpsServer = async (options: OpsServerOptions): Promise<OpsServer> => {
  const server = createServer((request, response) => {
    answer(request, response, options).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => closeServer(server) };
};

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
