import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ensureStreams } from '@cairn/op-log';
import { startGatewayUnderTest, type GatewayUnderTest } from '../gateway-under-test.harness.js';
import { FAILED_AUTH_PER_MINUTE_MAX } from './failed-auth-limit.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  // The tests are the proxy: they call from this address.
  gateway = await startGatewayUnderTest({ trustedProxies: [{ address: '127.0.0.1', prefix: 32 }] });
  await ensureStreams(gateway.nats);
}, 60_000);
afterAll(() => gateway.stop());

const WRONG = { authorization: 'Bearer cairn_wrong', 'content-type': 'application/json' };
const CALLS: Record<string, (forwarded: string) => Promise<Response>> = {
  'POST /mcp': (forwarded) =>
    fetch(`${gateway.url}/mcp`, { method: 'POST', headers: { ...WRONG, 'x-forwarded-for': forwarded }, body: '{}' }),
  'GET /api/v1/items': (forwarded) =>
    fetch(`${gateway.url}/api/v1/items`, { headers: { ...WRONG, 'x-forwarded-for': forwarded } }),
  'POST /api/v1/sign-in': (forwarded) =>
    fetch(`${gateway.url}/api/v1/sign-in`, {
      method: 'POST',
      headers: { ...WRONG, 'x-forwarded-for': forwarded },
      body: JSON.stringify({ code: 'wrong' }),
    }),
};
const kinds = Object.keys(CALLS);

const statusOf = async (kind: string, forwarded: string): Promise<number> => {
  const response = await CALLS[kind]!(forwarded);
  await response.arrayBuffer();
  return response.status;
};

it('counts failed sign-ins per client behind a trusted proxy, whatever the client writes into the header', async () => {
  // One client, which puts another address in front of every guess.
  for (let i = 0; i < FAILED_AUTH_PER_MINUTE_MAX; i++)
    expect(await statusOf(kinds[i % kinds.length]!, `10.0.${i % 250}.1, 127.0.0.1, 203.0.113.9`)).toBe(401);
  for (const kind of kinds) {
    expect(await statusOf(kind, '203.0.113.9')).toBe(429);
    expect(await statusOf(kind, '198.51.100.1, 203.0.113.9')).toBe(429);
    // Neither a neighbour nor a victim whose address was claimed is locked out.
    expect(await statusOf(kind, '203.0.113.10')).toBe(401);
    expect(await statusOf(kind, '10.0.1.1')).toBe(401);
  }
});
