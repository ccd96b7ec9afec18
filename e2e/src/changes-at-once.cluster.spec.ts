import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ServiceProcess } from '@cairn/local-servers';
import { embedded, newToken, newWorkspace, rest, storeItem, underTest } from './under-test.js';

/** Another gateway than the one that the changes go through. */
let other: ServiceProcess;

beforeAll(async () => {
  other = await (await ServiceProcess.on('gateway', underTest.envs.gateway)).start();
});

afterAll(() => other.end('SIGTERM'));

it('[G-29b] a change through one gateway is visible through another as soon as the call is answered', async () => {
  const { token } = await newWorkspace();
  // A token that has written nothing, so its queries request no position.
  const reader = await newToken(token, { scopes: ['read'] });
  const found = async (query: string): Promise<string[]> => {
    const params = { name: 'search_knowledge_base', arguments: { query, mode: 'keyword' } };
    const response = await fetch(`${other.url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${reader}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    const { result } = (await response.json()) as any;
    return result.structuredContent.hits.map(({ itemId }: { itemId: string }) => itemId);
  };
  const { id } = await storeItem(token, { title: 'Title none', text: 'A text that stays.' });
  await embedded(token, id);
  for (const word of ['alderwood', 'birchwood', 'cedarwood', 'dogwood']) {
    expect((await rest(token, 'PATCH', `/items/${id}`, { title: `Title ${word}` })).status).toBe(200);
    expect(await found(word)).toEqual([id]);
  }
  expect(await found('alderwood birchwood cedarwood none')).toEqual([]);
});
