import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TOOLS } from '@cairn/mcp-tools';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { startGatewayUnderTest, type GatewayUnderTest } from '../gateway-under-test.harness.js';

/** JSON from the wire, loosely typed for assertions. */
type Loose = ReturnType<typeof JSON.parse>;

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterAll(() => gateway.stop());

interface AnyClient {
  close(): Promise<void>;
  getInstructions(): string | undefined;
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments?: Record<string, unknown> }): Promise<Loose>;
  listResources(): Promise<{ resources: unknown[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  readResource(params: { uri: string }): Promise<Loose>;
  listPrompts(): Promise<{ prompts: unknown[] }>;
}

const info = { name: 'test', version: '1.0.0' };
const withToken = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });

const connectors: Record<string, (token: string) => Promise<AnyClient>> = {
  'sdk 1.32 over Streamable HTTP': async (token) => {
    const client = new Client(info);
    await client.connect(new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), withToken(token)));
    return client;
  },
  '[C-01] [C-02] sdk 1.32 over HTTP+SSE': async (token) => {
    const client = new Client(info);
    const headers = { authorization: `Bearer ${token}` };
    const fetchWithToken = (url: string | URL, init?: RequestInit) =>
      fetch(url, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...headers } });
    const options = { requestInit: { headers }, eventSourceInit: { fetch: fetchWithToken } };
    await client.connect(new SSEClientTransport(new URL(`${gateway.url}/mcp/sse`), options));
    return client;
  },
  'client 2.4 in the initialize era': async (token) => {
    const client = new ModernClient(info);
    await client.connect(new ModernTransport(new URL(`${gateway.url}/mcp`), withToken(token)));
    return client;
  },
  'client 2.4 in the stateless era': async (token) => {
    const client = new ModernClient(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(new ModernTransport(new URL(`${gateway.url}/mcp`), withToken(token)));
    return client;
  },
};

describe.each(Object.entries(connectors))('%s', (_, connect) => {
  let client: AnyClient;
  beforeAll(async () => {
    client = await connect(gateway.services.issue());
  });
  afterAll(() => client.close());

  it('[G-01] [D-01] [C-03] [C-05] lists every tool of the registry, sorted by name', async () => {
    const { tools } = await client.listTools();
    const names = tools.map((tool) => tool.name);
    expect(names).toEqual(TOOLS.map((tool) => tool.name));
    expect(names).toEqual([...names].sort());
  });

  it('[G-23] [G-24] [G-34] [D-35] [D-37] stores, finds by both searches, and reads the whole text back', async () => {
    const body = `The heliotrope protocol. ${'filler '.repeat(100)}`;
    const stored = await client.callTool({ name: 'store_knowledge', arguments: { title: 'Heliotrope', body } });
    expect(stored.structuredContent).toMatchObject({ embeddingStatus: 'pending' });
    const found = await client.callTool({ name: 'search_knowledge_base', arguments: { query: 'heliotrope' } });
    const [hit] = found.structuredContent.hits;
    expect(found.content[0].text).toMatch(/^1\. \(\d\.\d\d\) Heliotrope\n +"\.\.\./);
    // A client may show its model only the texts, so they must be enough to continue with.
    const [, itemId] = /^1\. item_id (\S+)$/m.exec(found.content[1].text)!;
    expect(itemId).toBe(hit.itemId);
    const item = await client.callTool({ name: 'get_item', arguments: { item_id: itemId } });
    expect(item.structuredContent.content).toBe(body);
    const known = await client.callTool({ name: 'search_knowledge', arguments: { query: 'heliotrope' } });
    const read = await client.readResource({ uri: known.structuredContent.hits[0].resource });
    expect(read.contents[0]).toMatchObject({ mimeType: 'text/plain', text: body });
  });

  it('[G-30] [G-31] gets JSON-RPC -32602 from search_knowledge_base, naming the field', async () => {
    const missing = await client.callTool({ name: 'search_knowledge_base', arguments: {} }).catch((error) => error);
    expect(missing).toMatchObject({ code: -32602, message: expect.stringContaining('query') });
    const outside = client.callTool({ name: 'search_knowledge_base', arguments: { query: 'x', limit: 21 } });
    expect(await outside.catch((error) => error)).toMatchObject({
      code: -32602,
      message: expect.stringContaining('limit'),
    });
  });

  it('gets a readable tool error from the other tools', async () => {
    const refused = await client.callTool({ name: 'store_knowledge', arguments: { title: '', body: 'x' } });
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: { code: 'input.invalid', retry: false, field: 'title', correlationId: expect.any(String) },
    });
    expect(refused.content[0].text).toContain('title must have at least 1 character');
  });

  it('may send numbers, booleans, lists and objects as text', async () => {
    const taskRef = '{"taskId":"7","kind":"produced"}';
    const args = { title: 'Gentian', body: 'A gentian.', tags: '["blue"]', confidence: '55', taskRef };
    expect(await client.callTool({ name: 'store_knowledge', arguments: args })).not.toHaveProperty('isError');
    const stores = gateway.services.seen.filter(({ type }) => type === 'item.store');
    expect(stores.at(-1)!.request.data).toMatchObject({
      tags: ['blue'],
      confidence: 55,
      taskRef: { taskId: '7', kind: 'produced' },
    });
    const search = { query: 'gentian', limit: '1', explain: 'true' };
    const found = await client.callTool({ name: 'search_knowledge_base', arguments: search });
    expect(found.structuredContent.hits).toEqual([expect.objectContaining({ explain: expect.anything() })]);
  });

  it('[G-30] receives all faults of a call at once, with either kind of error', async () => {
    const refused = await client.callTool({ name: 'store_knowledge', arguments: { titel: 'x', confidence: 'high' } });
    expect(refused.structuredContent).toMatchObject({ code: 'input.invalid', field: 'title' });
    const fields = ({ faults }: Loose): string[] => faults.map(({ field }: Loose) => field);
    expect(fields(refused.structuredContent)).toEqual(['title', 'body', 'confidence', 'titel']);
    expect(refused.content[0].text).toContain('titel is not a known field (did you mean title?)');
    const call = client.callTool({ name: 'search_knowledge_base', arguments: { limit: 'many', mod: 'keyword' } });
    const error = await call.catch((thrown) => thrown);
    expect([error.code, fields(error.data)]).toEqual([-32602, ['query', 'limit', 'mod']]);
    expect(error.message).toMatch(/did you mean mode\?.*Known fields: query, limit, mode, explain/);
  });

  it('receives instructions that explain when to use each of its tools, and mention no other', async () => {
    const instructions = client.getInstructions()!;
    for (const { name, when } of TOOLS) expect(instructions).toContain(`- ${name}: ${when}`);
    // Every client puts the instructions into each of its prompts.
    expect(instructions.length).toBeLessThan(2_500);
    const reader = await connect(gateway.services.issue({ scopes: ['memory:read'], toolsets: ['memory'] }));
    const named = [...reader.getInstructions()!.matchAll(/^- (\w+):/gm)].map(([, name]) => name);
    expect(named).toEqual((await reader.listTools()).tools.map(({ name }) => name));
    for (const { name } of TOOLS.filter((tool) => !['recall', 'stats'].includes(tool.name)))
      expect(reader.getInstructions()).not.toMatch(new RegExp(`\\b${name}_?\\w*:`));
    await reader.close();
    const mute = await connect(gateway.services.issue({ scopes: ['read'], toolsets: ['memory'] }));
    expect(mute.getInstructions()).toMatch(/may not call any tool/);
    await mute.close();
  });

  it('[G-32] gets -32603 with a fixed text when the search fails', async () => {
    gateway.services.faults.set('chunks.search', async () => {
      throw new Error('secret of the database');
    });
    const call = client.callTool({ name: 'search_knowledge_base', arguments: { query: 'x' } });
    const error = await call.catch((thrown) => thrown);
    gateway.services.faults.delete('chunks.search');
    expect(error).toMatchObject({ code: -32603, data: { correlationId: expect.any(String) } });
    expect(JSON.stringify(error) + error.message).not.toContain('secret');
  });

  it('receives -32602 for an unknown tool and for an unknown resource', async () => {
    const call = client.callTool({ name: 'no_such_tool', arguments: {} });
    expect(await call.catch((error) => error)).toMatchObject({ code: -32602 });
    const uri = 'drobek://knowledge/0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
    expect(await client.readResource({ uri }).catch((error) => error)).toMatchObject({ code: -32602, data: { uri } });
  });

  it('lists no resources, a template for each kind and no prompts', async () => {
    expect((await client.listResources()).resources).toEqual([]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map((template) => template.uriTemplate)).toEqual([
      'carabase://artifact/{id}{?q}',
      'folio://{id}/readme',
      'drobek://knowledge/{id}',
    ]);
    expect((await client.listPrompts()).prompts).toEqual([]);
  });

  it('sees only the tools that its token may call', async () => {
    const reader = await connect(gateway.services.issue({ scopes: ['read'] }));
    expect((await reader.listTools()).tools.map((tool) => tool.name)).toEqual([
      'get_item',
      'list_recent',
      'search_knowledge_base',
    ]);
    await reader.close();
    const limited = await connect(gateway.services.issue({ toolsets: ['knowledge'] }));
    const { tools } = await limited.listTools();
    expect(tools.every((tool) => tool.name.endsWith('_knowledge'))).toBe(true);
    const hidden = limited.callTool({ name: 'get_item', arguments: {} });
    expect(await hidden.catch((error) => error)).toMatchObject({ code: -32602 });
    await limited.close();
  });
});
