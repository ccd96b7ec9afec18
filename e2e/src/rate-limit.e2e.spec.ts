import { beforeAll, describe, expect, it } from '@jest/globals';
import { callRpc, connect, ERAS, newToken, newWorkspace, rest, rpc, withinOneHour } from './under-test.js';

const search = { name: 'search_knowledge_base', arguments: { query: 'harbour' } };
const message = (id: number, params: unknown = search) => ({ jsonrpc: '2.0', id, method: 'tools/call', params });

let admin: string;
beforeAll(async () => {
  admin = (await newWorkspace()).token;
});

const limited = (rateLimitPerHour: number): Promise<string> =>
  newToken(admin, { scopes: ['read', 'knowledge:read', 'knowledge:write'], rateLimitPerHour });

const secondsLeft = (): number => Math.ceil((3_600_000 - (Date.now() % 3_600_000)) / 1000);

describe('calls per hour', () => {
  it('[G-05] are counted together over both eras, SSE, batches, tools and resources', () =>
    withinOneHour(async () => {
      const token = await limited(ERAS.length + 3);
      for (const era of ERAS) {
        const client = await connect(token, era);
        expect(await client.call(search.name, search.arguments)).toHaveProperty('structuredContent.hits');
        await client.close();
      }
      const { body: batch } = await rpc(token, [message(1), message(2)]);
      expect(batch).toMatchObject([{ result: {} }, { result: {} }]);
      const uri = 'drobek://knowledge/0190c2a0-0000-7000-8000-000000000000';
      const read = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } };
      expect((await rpc(token, read)).body.error.code).toBe(-32602);
      expect((await callRpc(token, search.name, search.arguments)).body.error.code).toBe(-32605);
      expect((await rpc(token, read)).body.error.code).toBe(-32605);
    }));

  it('[G-33] are rejected with -32605 and the seconds until they are allowed again', () =>
    withinOneHour(async () => {
      const token = await limited(1);
      await callRpc(token, search.name, search.arguments);
      const left = secondsLeft();
      const { status, body } = await callRpc(token, search.name, search.arguments);
      expect(status).toBe(200);
      expect(body.error.code).toBe(-32605);
      const seconds = body.error.data.retry_after_sec;
      expect(Number.isInteger(seconds) && seconds >= 1).toBe(true);
      expect(Math.abs(seconds - left)).toBeLessThanOrEqual(2);
    }));

  it.each(ERAS)('are rejected by other tools with a tool error that the client accepts (%s)', (era) =>
    withinOneHour(async () => {
      const token = await limited(1);
      const client = await connect(token, era);
      await client.listTools();
      await client.call(search.name, search.arguments);
      const answer = await client.call('store_knowledge', { title: 'over the cap', body: 'must not be stored' });
      expect(answer).toMatchObject({
        isError: true,
        structuredContent: { code: 'rate_limited', retry: true, retry_after_sec: expect.any(Number) },
      });
      await client.close();
      const { body } = await rest(admin, 'GET', '/items');
      expect(JSON.stringify(body)).not.toContain('over the cap');
    }),
  );

  it('of one token do not count for another', () =>
    withinOneHour(async () => {
      const [first, second] = [await limited(1), await limited(1)];
      await callRpc(first, search.name, search.arguments);
      expect((await callRpc(first, search.name, search.arguments)).body.error.code).toBe(-32605);
      expect((await callRpc(second, search.name, search.arguments)).body).toHaveProperty('result');
      expect((await rest(first, 'GET', '/folders')).status).toBe(200);
    }));

  it('match the cap exactly when all arrive at once', () =>
    withinOneHour(async () => {
      const token = await limited(15);
      const answers = await Promise.all(
        Array.from({ length: 60 }, () => callRpc(token, 'search_knowledge', { query: 'harbour' })),
      );
      const codes = answers.map(({ body }) => body.result.structuredContent.code ?? 'ok');
      expect(codes.filter((code) => code !== 'rate_limited')).toEqual(Array.from({ length: 15 }, () => 'ok'));
    }));
});

describe('REST requests per hour', () => {
  const items = (count: number) => Array.from({ length: count }, (_, i) => ({ title: `Note ${i}`, text: 'A text.' }));

  it('are limited as the token says, each item of a batch being one, and the refusal names the seconds to wait', () =>
    withinOneHour(async () => {
      const token = await newToken(admin, { scopes: ['read', 'write'], restLimitPerHour: 10 });
      const before = (await rest(admin, 'GET', '/items?limit=100')).body.items.length;
      expect((await rest(token, 'POST', '/items:batch', { items: items(7) })).status).toBe(200);
      const { results } = (await rest(token, 'POST', '/items:batch', { items: items(5) })).body;
      expect(results.map(({ error }: any) => error?.code)).toEqual([...Array(3), 'rate_limited', 'rate_limited']);
      const { status, body } = await rest(token, 'GET', '/whoami');
      expect([status, body.error.code, body.error.limit]).toEqual([429, 'rate_limited', 10]);
      expect(body.error.message).toMatch(/^this token may make 10 REST requests per hour; try again in \d+ s$/);
      expect((await rest(admin, 'GET', '/items?limit=100')).body.items).toHaveLength(before + 10);
    }));

  it('are not limited for a token without a limit, as admin tokens are by default', async () => {
    const listed = (await rest(admin, 'GET', '/tokens?limit=100')).body.items;
    expect(listed.find(({ name }: any) => name === 'admin').restLimitPerHour).toBeNull();
    const { body } = await rest(admin, 'POST', '/tokens', { name: 'x', scopes: ['read'], restLimitPerHour: null });
    expect(body.restLimitPerHour).toBeNull();
    const plain = await rest(admin, 'POST', '/tokens', { name: 'x', scopes: ['read'] });
    expect(plain.body.restLimitPerHour).toBe(36_000);
  });
});
