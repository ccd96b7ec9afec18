import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ServiceProcess } from '@cairn/local-servers';
import { newToken, newWorkspace, underTest, withinOneHour } from './under-test.js';

let replica: ServiceProcess;
let urls: readonly string[];

beforeAll(async () => {
  replica = await (await ServiceProcess.on('gateway', underTest.envs.gateway)).start();
  urls = [underTest.url, replica.url];
});

afterAll(() => replica.end('SIGTERM'));

const search = async (url: string, token: string): Promise<number> => {
  const params = { name: 'search_knowledge_base', arguments: { query: 'harbour', mode: 'keyword' } };
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  return ((await response.json()) as any).error?.code ?? 0;
};

it('[G-05] two gateway processes hold a token to one cap', () =>
  withinOneHour(async () => {
    const { token: admin } = await newWorkspace();
    const [token, other] = await Promise.all(
      [30, 5].map((rateLimitPerHour) => newToken(admin, { scopes: ['read'], rateLimitPerHour })),
    );
    const codes = await Promise.all(Array.from({ length: 60 }, (_, i) => search(urls[i % 2]!, token!)));
    expect(codes.filter((code) => code === 0)).toHaveLength(30);
    expect(codes.filter((code) => code === -32605)).toHaveLength(30);
    for (const url of urls) {
      expect(await search(url, token!)).toBe(-32605);
      expect(await search(url, other!)).toBe(0);
    }
  }));
