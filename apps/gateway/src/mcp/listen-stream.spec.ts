import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { STREAMS_PER_TOKEN_MAX, systemPrincipal, type ResolvedToken } from '@cairn/contracts';
import { systemClock, uuidV7 } from '@cairn/kernel';
import { createLogger } from '@cairn/observability';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { ClientAddresses } from '../auth/client-address.js';
import { TokenWatch } from '../auth/token-watch.js';
import { OpenStreams } from '../http/open-streams.js';
import { abortOnHangUp, sendWebResponse, toWebRequest } from '../http/web-exchange.js';
import { McpEndpoint } from './mcp-endpoint.js';
import type { McpExchange } from './mcp-exchange.js';

const ENDED_WITHIN_MS = 2_000;

const aToken = (): ResolvedToken => ({
  principal: { ...systemPrincipal(uuidV7()), tokenId: uuidV7() },
  expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  rateLimitPerHour: null,
});

/**
 * The SDK's own `subscriptions/listen`, on a server that has events to offer. The product offers none yet, so the SDK
 * ends its streams as soon as they are open; a stream that stays open must still end with its token.
 */
const sdk = createMcpHandler(
  () => new Server({ name: 't', version: '1' }, { capabilities: { tools: { listChanged: true } } }),
  { legacy: 'reject' },
);
const stateless = {
  serve: async ({ req, res, body }: McpExchange) =>
    sendWebResponse(res, await sdk.fetch(toWebRequest(req, abortOnHangUp(res)), { parsedBody: body })),
};

const [token, other] = [aToken(), aToken()];
const tokens: Readonly<Record<string, ResolvedToken>> = { token, other };
let watch: TokenWatch;
let server: HttpServer;

beforeEach(async () => {
  const requester = { query: () => Promise.resolve({ tokenIds: [] }) };
  watch = new TokenWatch(requester as never, systemClock);
  const endpoint = new McpEndpoint(
    { authenticate: (header: string) => Promise.resolve(tokens[header]) } as never,
    new ClientAddresses(),
    watch,
    { missingScope: () => undefined } as never,
    { stateless } as never,
    new OpenStreams(),
    { warm: () => undefined },
    createLogger({ name: 'gateway', level: 'silent', format: 'json' }),
  );
  server = createServer((req, res) => void endpoint.serve(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  watch.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const listen = (by: string): Promise<Response> => {
  const version = '2026-07-28';
  const method = 'subscriptions/listen';
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, {
    method: 'POST',
    headers: {
      authorization: by,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': method,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: { notifications: { toolsListChanged: true }, _meta: meta },
    }),
  });
};

it('ends a subscriptions/listen stream within two seconds of its token, and no stream of another token', async () => {
  const [own, foreign] = await Promise.all([listen('token'), listen('other')]);
  let ends = 0;
  const count = (): number => ends++;
  const ended = own.text().finally(count);
  // Only the end of the test cuts the other stream.
  void foreign.text().then(count, count);
  // Neither stream has ended by itself by the time another one is open.
  await listen('other');
  expect([own.status, foreign.status, ends]).toEqual([200, 200, 0]);
  const startedAt = performance.now();
  watch.end(token.principal.tokenId);
  expect(await ended).toContain('notifications/subscriptions/acknowledged');
  expect(performance.now() - startedAt).toBeLessThan(ENDED_WITHIN_MS);
  expect(ends).toBe(1);
});

it('frees the places of ended streams', async () => {
  const open = () => Promise.all(Array.from({ length: STREAMS_PER_TOKEN_MAX }, () => listen('token')));
  const streams = await open();
  expect((await listen('token')).status).toBe(429);
  watch.end(token.principal.tokenId);
  await Promise.all(streams.map((stream) => stream.text()));
  expect((await open()).map(({ status }) => status)).toEqual(Array(STREAMS_PER_TOKEN_MAX).fill(200));
});
