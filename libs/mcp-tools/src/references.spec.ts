import { describe, expect, it } from '@jest/globals';
import { InMemoryCairn } from './cairn.fake.js';
import { InMemoryPages } from './page.fake.js';
import { findTool } from './registry.js';
import type { CleanAnswer } from './tool.js';

type Loose = ReturnType<typeof JSON.parse>;

const clock = { now: () => Date.parse('2027-03-01T12:00:00Z') };

const library = () => {
  const cairn = new InMemoryCairn(clock).as({ workspaceId: 'one', agentId: 'alice' });
  return async (name: string, args: unknown): Promise<CleanAnswer & { structured: Loose }> =>
    await findTool(name)!.call(args, { cairn, clock, pages: new InMemoryPages() });
};

const twoOf = async () => {
  const call = library();
  for (const title of ['One', 'Two']) await call('store_knowledge', { title, body: 'a zebra' });
  return call;
};

describe('the references of an answer', () => {
  it.each([
    ['search_knowledge_base', { query: 'zebra' }, 'get_item', (hit: Loose) => `item_id ${hit.itemId}`],
    ['search_knowledge', { query: 'zebra' }, 'supersede_knowledge', (hit: Loose) => `id ${hit.id}`],
    ['list_recent', {}, 'get_item', (hit: Loose) => `item_id ${hit.id}`],
    ['recall', { query: 'zebra' }, 'forget', (hit: Loose) => `chunkId ${hit.chunkId}, sourceId ${hit.sourceId}`],
  ])('[G-24] of %s list, in the order of its text, which ids go with which tool', async (name, args, taker, lineOf) => {
    const { references, structured, text } = await (await twoOf())(name, args);
    const hits: Loose[] = structured.hits ?? structured.items ?? structured.results;
    const [head, ...lines] = references!.split('\n');
    expect(head).toContain(taker);
    expect(lines).toEqual(hits.map((hit, i) => `${i + 1}. ${lineOf(hit)}`));
    expect(lines).toHaveLength(2);
    for (const hit of hits) expect(text).not.toContain(hit.itemId ?? hit.id ?? hit.sourceId);
  });

  it.each([
    ['search_knowledge_base', { query: 'zebra' }],
    ['search_knowledge', { query: 'zebra' }],
    ['list_recent', {}],
    ['recall', { query: 'zebra' }],
  ])('of %s are left out if it found nothing', async (name, args) => {
    expect(await library()(name, args)).not.toHaveProperty('references');
  });
});
