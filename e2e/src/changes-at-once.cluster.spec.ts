import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AppProcess, answersOk, freePort } from '@cairn/local-servers';
import { embedded, newWorkspace, rest, storeItem, underTest } from './under-test.js';

/** A gateway that has seen none of the writes, so its queries request no position. */
let other: AppProcess;
let otherUrl: string;

beforeAll(async () => {
  const port = await freePort();
  otherUrl = `http://127.0.0.1:${port}`;
  other = AppProcess.start('gateway', { NATS_URL: underTest.natsUrl, CAIRN_PORT: String(port) });
  await other.until(() => answersOk(`${otherUrl}/readyz`));
});

afterAll(() => other.end('SIGTERM'));

it('[G-29b] a change through one gateway is visible through another as soon as the call is answered', async () => {
  const { token } = await newWorkspace();
  const found = async (query: string): Promise<string[]> => {
    const params = { name: 'search_knowledge_base', arguments: { query, mode: 'keyword' } };
    const response = await fetch(`${otherUrl}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
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
