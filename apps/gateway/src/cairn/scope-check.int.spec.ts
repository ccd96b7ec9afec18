import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '@cairn/kernel';
import { startGatewayUnderTest, type GatewayUnderTest } from '../gateway-under-test.harness.js';

/** JSON from the wire, loosely typed for assertions. */
type Loose = ReturnType<typeof JSON.parse>;

let gateway: GatewayUnderTest;
let stranger: string;
let itemId: string;

const call = async (token: string, method: string, params: object): Promise<Loose> =>
  (await gateway.post({ jsonrpc: '2.0', id: 1, method, params }, { token })).json();
const tool = (token: string, name: string, args: object) => call(token, 'tools/call', { name, arguments: args });

const violations = async (type: string): Promise<number> => {
  const { values } = await gateway.metrics.scopeViolations.get();
  return values.find(({ labels }) => labels['type'] === type)?.value ?? 0;
};

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  gateway.services.ignoresScope = true;
  stranger = gateway.services.issue({
    scopes: ['read', 'knowledge:read'],
    isUnscoped: false,
    folderIds: [uuidV7()],
  });
  const owner = gateway.services.issue();
  const stored = await tool(owner, 'store_knowledge', { title: 'Harbour', body: 'ships in the harbour' });
  itemId = stored.result.structuredContent.id;
});
afterAll(() => gateway.stop());

describe("a service that answers with data outside the token's scope", () => {
  it.each([
    ['search_knowledge_base', { query: 'harbour' }, 'chunks.search'],
    ['search_knowledge', { query: 'harbour' }, 'items.search'],
  ])('is overruled for the hits of %s, and counted', async (name, args, type) => {
    const before = await violations(type);
    const { result } = await tool(stranger, name, args);
    expect(result.structuredContent.hits).toEqual([]);
    expect(JSON.stringify(result)).not.toContain('ships');
    expect(await violations(type)).toBe(before + 1);
  });

  it('is overruled for a single item: by get_item, by its resource and by REST, as if it did not exist', async () => {
    const withoutIds = (answer: Loose) => JSON.stringify(answer).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '');
    const ask = {
      tool: (id: string) => tool(stranger, 'get_item', { item_id: id }),
      resource: (id: string) => call(stranger, 'resources/read', { uri: `drobek://knowledge/${id}` }),
      rest: async (id: string) => {
        const headers = { authorization: `Bearer ${stranger}` };
        return (await fetch(`${gateway.url}/api/v1/items/${id}`, { headers })).json();
      },
    };
    for (const get of Object.values(ask)) {
      const before = await violations('item.get');
      expect(withoutIds(await get(itemId))).toBe(withoutIds(await get(uuidV7())));
      expect(await violations('item.get')).toBe(before + 1);
    }
  });

  it('is overruled for the list of items', async () => {
    const headers = { authorization: `Bearer ${stranger}` };
    const { items } = (await (await fetch(`${gateway.url}/api/v1/items`, { headers })).json()) as Loose;
    expect([items, await violations('items.list')]).toEqual([[], 1]);
  });
});

describe('a token whose toolsets leave resources out', () => {
  it('gets "not found" and not a missing scope, since it has the scope', async () => {
    const token = gateway.services.issue({ scopes: ['read'], toolsets: ['memory'] });
    const { error } = await call(token, 'resources/read', { uri: `drobek://knowledge/${itemId}` });
    expect([error.code, error.message]).toEqual([-32602, 'Resource not found']);
  });
});
