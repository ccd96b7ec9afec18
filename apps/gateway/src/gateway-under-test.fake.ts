import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNatsServer } from '@cairn/local-servers';
import { connectNats, type NatsConnection } from '@cairn/messaging';
import { createLogger, createMetrics } from '@cairn/observability';
import { CairnServices } from './cairn-services.fake.js';
import { createGateway } from './create-gateway.js';

export interface GatewayUnderTest {
  readonly url: string;
  readonly services: CairnServices;
  readonly nats: NatsConnection;
  post(body: unknown, options?: { token?: string; headers?: Record<string, string>; path?: string }): Promise<Response>;
  stop(): Promise<void>;
}

/** The real gateway on a real broker, with the services behind it played from memory. */
export const startGatewayUnderTest = async (): Promise<GatewayUnderTest> => {
  const storeDir = mkdtempSync(join(tmpdir(), 'cairn-gateway-'));
  const server = await startNatsServer({ storeDir, syncAlways: false, log: () => undefined });
  const nats = await connectNats(server.url, 'services');
  const services = new CairnServices(nats);
  const gateway = await createGateway({
    natsUrl: server.url,
    host: '127.0.0.1',
    port: 0,
    allowedOrigins: ['https://app.example.com'],
    logger: createLogger({ name: 'gateway', level: 'silent', format: 'json' }),
    metrics: createMetrics(),
  });
  const adminToken = services.issue({}, true);
  return {
    url: gateway.url,
    services,
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
    stop: async () => {
      await gateway.close();
      await nats.drain();
      await server.stop();
      rmSync(storeDir, { recursive: true, force: true });
    },
  };
};
