import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseToken } from '@cairn/auth';
import { ADD_TO_KNOWLEDGE_PER_HOUR_MAX, RATE_PER_HOUR_DEFAULT, REST_PER_HOUR_DEFAULT } from '@cairn/contracts';
import { METRIC_NAMES } from '@cairn/observability';
import { ensureStreams } from '@cairn/op-log';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { startGatewayUnderTest, type GatewayUnderTest } from '../gateway-under-test.harness.js';
import { JetStreamRateCounter } from './jetstream-rate-counter.js';

const HOUR_MS = 3_600_000;
const MODERN = '2026-07-28';

/** The current hour, so tokens are still valid, and ten minutes into it, so no test crosses its end. */
const start = Math.floor(Date.now() / HOUR_MS) * HOUR_MS + 600_000;
let now = start;
let gateway: GatewayUnderTest;
let replica: string;

beforeAll(async () => {
  gateway = await startGatewayUnderTest({ clock: { now: () => now } });
  await ensureStreams(gateway.nats);
  replica = await gateway.startReplica();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  now = start;
});

const search = { name: 'search_knowledge_base', arguments: { query: 'harbour' } };
const store = (title: string) => ({ name: 'store_knowledge', arguments: { title, body: 'text' } });
const call = (params: unknown, id = 1) => ({ jsonrpc: '2.0', id, method: 'tools/call', params });

const send = async (token: string, message: unknown, headers: Record<string, string> = {}): Promise<any> => {
  const response = await gateway.post(message, { token, headers });
  expect(response.status).toBe(200);
  const text = await response.text();
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
};

const stateless = (token: string, params: { name: string }): Promise<any> => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const headers = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': params.name };
  return send(token, call({ ...params, _meta }), headers);
};

const overSse = async (token: string): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new SSEClientTransport(new URL(`${gateway.url}/mcp/sse`), { requestInit }));
  return client;
};

const spent = async (rateLimitPerHour = 1): Promise<string> => {
  const token = gateway.services.issue({ rateLimitPerHour });
  for (let i = 0; i < rateLimitPerHour; i++) expect(await send(token, call(search))).toHaveProperty('result');
  return token;
};

const carriedOut = (type: string): number => gateway.services.seen.filter((seen) => seen.type === type).length;

describe('the cap of a token', () => {
  it('[G-05] [G-33] is reported by search_knowledge_base as -32605 with the seconds until the hour ends', async () => {
    const { error } = await send(await spent(), call(search));
    expect(error).toEqual({
      code: -32605,
      message: 'Rate limited: this token may make 1 call per hour; try again in 3000 s',
      data: { code: 'rate_limited', retry: true, limit: 1, retry_after_sec: 3000, correlationId: expect.any(String) },
    });
  });

  it('is reported by every other tool as an error result, and nothing is written', async () => {
    const token = await spent();
    const before = carriedOut('item.store');
    const { result } = await send(token, call(store('over the cap')));
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { code: 'rate_limited', retry: true, retry_after_sec: 3000, limit: 1 },
    });
    expect(result.content[0].text).toContain('try again in 3000 s');
    expect(carriedOut('item.store')).toBe(before);
  });

  it('is reported for a resource, and for a tool that does not exist, as -32605', async () => {
    const token = await spent();
    const read = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'drobek://knowledge/x' } };
    for (const message of [read, call({ name: 'no_such_tool' })]) {
      expect((await send(token, message)).error).toMatchObject({ code: -32605, data: { retry_after_sec: 3000 } });
    }
  });

  it('resets at the full hour', async () => {
    const token = await spent();
    const { data } = (await send(token, call(search))).error;
    now += data.retry_after_sec * 1000 - 1;
    expect(await send(token, call(search))).toHaveProperty('error.code', -32605);
    now += 1;
    expect(await send(token, call(search))).toHaveProperty('result');
  });

  it('counts every message on every transport: both eras, batches, SSE, resources and refused arguments', async () => {
    const token = gateway.services.issue({ rateLimitPerHour: 7 });
    expect(await send(token, call(search))).toHaveProperty('result');
    expect(await stateless(token, search)).toHaveProperty('result');
    expect(await send(token, [call(search, 1), call(store('batch'), 2)])).toHaveLength(2);
    const client = await overSse(token);
    expect(await client.callTool(search)).toHaveProperty('structuredContent.hits');
    await expect(client.readResource({ uri: 'drobek://knowledge/none' })).rejects.toThrow('Resource not found');
    expect(await send(token, call({ name: 'search_knowledge_base', arguments: {} }))).toMatchObject({
      error: { code: -32602 },
    });
    expect(await send(token, call(search))).toMatchObject({ error: { code: -32605 } });
    expect(await stateless(token, search)).toMatchObject({ error: { code: -32605 } });
    expect(await client.callTool(store('sse'))).toMatchObject({ structuredContent: { code: 'rate_limited' } });
    await client.close();
  });

  it('refuses only the messages of a batch that exceed it', async () => {
    const token = gateway.services.issue({ rateLimitPerHour: 2 });
    const before = carriedOut('item.store');
    const answers = await send(
      token,
      [1, 2, 3, 4, 5].map((id) => call(store(`batch ${id}`), id)),
    );
    const refused = answers.filter((answer: any) => answer.result.isError);
    expect(refused).toHaveLength(3);
    expect(carriedOut('item.store') - before).toBe(2);
  });

  it('does not count lists or the calls of another token', async () => {
    const token = gateway.services.issue({ rateLimitPerHour: 1 });
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list', 'ping']) {
      expect(await send(token, { jsonrpc: '2.0', id: 1, method })).toHaveProperty('result');
    }
    await spent();
    expect(await send(token, call(search))).toHaveProperty('result');
  });

  it('is shared exactly by all replicas, however the calls are spread', async () => {
    const token = gateway.services.issue({ rateLimitPerHour: 20 });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify(call(search));
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const url = `${i % 2 ? replica : gateway.url}/mcp`;
        return (await fetch(url, { method: 'POST', headers, body })).json() as any;
      }),
    );
    expect(answers.filter((answer) => answer.result)).toHaveLength(20);
    expect(answers.filter((answer) => answer.error?.code === -32605)).toHaveLength(40);
  });

  it('does not exist for a token without one', async () => {
    const token = gateway.services.issue({ rateLimitPerHour: null });
    const burst = Array.from({ length: 20 }, (_, id) => call(search, id));
    expect((await send(token, burst)).filter((answer: any) => answer.result)).toHaveLength(20);
  });
});

describe('the hour of the default cap', () => {
  it(`[G-05] refuses call ${RATE_PER_HOUR_DEFAULT + 1}`, async () => {
    const token = gateway.services.issue({ rateLimitPerHour: RATE_PER_HOUR_DEFAULT });
    await countedBefore(tokenIdOf(token), 'calls', RATE_PER_HOUR_DEFAULT - 1);
    expect(await send(token, call(search))).toHaveProperty('result');
    expect(await send(token, call(search))).toMatchObject({ error: { code: -32605 } });
  });
});

describe('a tool with a cap of its own', () => {
  it('is rejected at its cap, even for a token without one, while other tools continue to work', async () => {
    const token = gateway.services.issue({ rateLimitPerHour: null });
    const add = call({ name: 'add_to_knowledge', arguments: { kind: 'text', text: 'The harbour is open all year.' } });
    await countedBefore(tokenIdOf(token), 'add_to_knowledge', ADD_TO_KNOWLEDGE_PER_HOUR_MAX - 1);
    expect((await send(token, add)).result).not.toHaveProperty('isError');
    const { result } = await send(token, add);
    expect(result.structuredContent).toMatchObject({ code: 'rate_limited', limit: ADD_TO_KNOWLEDGE_PER_HOUR_MAX });
    expect(result.structuredContent.message).toContain('60 calls of add_to_knowledge per hour');
    expect(await send(token, call(store('another tool')))).toHaveProperty('result.structuredContent.id');
  });
});

describe('the REST bucket', () => {
  const get = (token: string, method = 'GET') =>
    fetch(`${gateway.url}/api/v1/folders`, { method, headers: { authorization: `Bearer ${token}` } });

  it('is counted separately from tool calls', async () => {
    expect((await get(await spent())).status).toBe(200);
  });

  it('answers 429 with Retry-After when its hourly limit is used up', async () => {
    const token = gateway.services.issue({ scopes: ['read', 'write'] });
    await countedBefore(tokenIdOf(token), 'rest', REST_PER_HOUR_DEFAULT - 1);
    expect((await get(token)).status).toBe(200);
    for (const method of ['GET', 'POST']) {
      const response = await get(token, method);
      expect(response.status).toBe(429);
      expect(response.headers.get('retry-after')).toBe('3000');
      expect(await response.json()).toMatchObject({
        error: { code: 'rate_limited', limit: REST_PER_HOUR_DEFAULT },
      });
    }
    expect(await send(token, call(search))).toHaveProperty('result');
    const metric = await gateway.metrics.registry.getSingleMetricAsString(METRIC_NAMES.rateLimited);
    expect(metric).toContain(`${METRIC_NAMES.rateLimited}{bucket="rest"} 2`);
  });

  it('does not exist for an admin token', async () => {
    const token = gateway.services.issue();
    await countedBefore(tokenIdOf(token), 'rest', REST_PER_HOUR_DEFAULT);
    expect((await get(token)).status).toBe(200);
  });

  it('has the size that the token was issued with', async () => {
    const token = gateway.services.issue({ scopes: ['read'], restLimitPerHour: 2 });
    for (let i = 0; i < 2; i++) expect((await get(token)).status).toBe(200);
    const refused = await get(token);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3000']);
    expect(await refused.json()).toMatchObject({
      error: { limit: 2, message: 'this token may make 2 REST requests per hour; try again in 3000 s' },
    });
    const unlimited = gateway.services.issue({ scopes: ['read'], restLimitPerHour: null });
    await countedBefore(tokenIdOf(unlimited), 'rest', REST_PER_HOUR_DEFAULT);
    expect((await get(unlimited)).status).toBe(200);
  });

  it('counts every item of a batch, stores those within it, and refuses the others', async () => {
    const token = gateway.services.issue({ scopes: ['write'], restLimitPerHour: 5 });
    const store = async (count: number) => {
      const items = Array.from({ length: count }, (_, i) => ({ title: `Item ${i}`, text: 'Text.' }));
      return gateway.post({ items }, { token, path: '/api/v1/items:batch' });
    };
    const before = carriedOut('item.store');
    expect((await store(3)).status).toBe(200);
    const answer = await store(4);
    const { results } = (await answer.json()) as { results: { id?: string; error?: object }[] };
    expect(results.map(({ id }) => id !== undefined)).toEqual([true, true, false, false]);
    const message = 'this token may make 5 REST requests per hour; try again in 3000 s';
    expect(results[3]?.error).toMatchObject({ status: 429, code: 'rate_limited', limit: 5, message });
    expect(carriedOut('item.store') - before).toBe(5);
    const spent = await store(1);
    expect([spent.status, spent.headers.get('retry-after')]).toEqual([429, '3000']);
  });
});

const tokenIdOf = (token: string): string => parseToken(token)!.tokenId;

const countedBefore = (tokenId: string, bucket: string, amount: number): Promise<number> =>
  new JetStreamRateCounter(gateway.nats).add({ tokenId, bucket, hour: Math.floor(now / HOUR_MS) }, amount);
