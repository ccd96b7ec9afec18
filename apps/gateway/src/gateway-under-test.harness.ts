import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNatsServer } from '@cairn/local-servers';
import { connectNats, type NatsConnection } from '@cairn/messaging';
import { createLogger, createMetrics, type Metrics } from '@cairn/observability';
import { CairnServices } from './cairn-services.harness.js';
import type { GatewayConfig } from './config.js';
import { createGateway, type Gateway } from './create-gateway.js';

export interface GatewayUnderTest {
  readonly url: string;
  readonly services: CairnServices;
  readonly metrics: Metrics;
  readonly nats: NatsConnection;
  post(body: unknown, options?: { token?: string; headers?: Record<string, string>; path?: string }): Promise<Response>;
  /** A second gateway on the same broker; returns its address. */
  startReplica(): Promise<string>;
  /** One more gateway, which the test stops. */
  startGateway(): Promise<Gateway>;
  /** Stops the gateway alone, as a signal to its process does; its broker and its services stay. */
  close(): Promise<void>;
  stop(): Promise<void>;
}

/** The real gateway on a real broker, with in-memory services behind it. */
export const startGatewayUnderTest = async (
  options: Pick<GatewayConfig, 'clock' | 'peerLimits' | 'stopDelayMs' | 'trustedProxies'> = {},
): Promise<GatewayUnderTest> => {
  const storeDir = mkdtempSync(join(tmpdir(), 'cairn-gateway-'));
  const server = await startNatsServer({ storeDir, syncAlways: false, log: () => undefined });
  const nats = await connectNats({ url: server.url }, 'services');
  const services = new CairnServices(nats);
  const metrics = createMetrics();
  const config = {
    ...options,
    nats: { url: server.url },
    host: '127.0.0.1',
    port: 0,
    allowedOrigins: ['https://app.example.com'],
    fetchUrls: true,
    servesOps: true,
    needs: ['ingest', 'search'] as const,
    logger: createLogger({ name: 'gateway', level: 'silent', format: 'json' }),
  };
  const gateway = await createGateway({ ...config, metrics });
  const replicas: Gateway[] = [];
  const adminToken = services.issue({}, true);
  return {
    url: gateway.url,
    services,
    metrics,
    nats,
    post: (body, { token = adminToken, headers = {}, path = '/mcp' } = {}) =>
      fetch(`${gateway.url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: typeof body === 'string' || body instanceof Uint8Array ? (body as never) : JSON.stringify(body),
      }),
    startGateway: () => createGateway({ ...config, metrics: createMetrics() }),
    startReplica: async () => {
      const replica = await createGateway({ ...config, metrics: createMetrics() });
      replicas.push(replica);
      return replica.url;
    },
    close: () => gateway.close(),
    stop: async () => {
      await Promise.all([gateway, ...replicas].map((each) => each.close()));
      await nats.drain();
      await server.stop();
      rmSync(storeDir, { recursive: true, force: true });
    },
  };
};
