import { describe, expect, it } from '@jest/globals';
import { AppError } from '@cairn/kernel';
import { InMemoryCairn } from '../cairn.fake.js';
import { InMemoryPages } from '../page.fake.js';
import { findTool } from '../registry.js';
import type { ToolAnswer } from '../tool.js';
import { addToKnowledge } from './add-to-knowledge.tool.js';

type Loose = ReturnType<typeof JSON.parse>;

const clock = { now: () => Date.parse('2027-03-01T12:00:00Z') };
const PAGE = { url: 'https://docs.example.com/tides', title: 'Tide\n tables', text: 'High water at nine.' };
const NAMELESS = { url: 'https://docs.example.com/raw.txt', text: 'Just words.' };
const LONG = { url: 'https://docs.example.com/long', title: '😀'.repeat(600), text: 'Just words.' };
const TEXT = 'The lighthouse keeper trims the wick each night.';

const world = () => {
  const cairn = new InMemoryCairn(clock).as({ workspaceId: 'w', agentId: 'alice' });
  const context = { cairn, clock, pages: new InMemoryPages([PAGE, NAMELESS, LONG]) };
  const call = async (name: string, args: unknown): Promise<ToolAnswer<Record<string, Loose>>> => {
    const answer = await findTool(name)!.call(args, context);
    expect(findTool(name)!.output.safeParse(answer.structured).error).toBeUndefined();
    return answer;
  };
  const add = async (args: Record<string, unknown>) => {
    const { structured } = await call('add_to_knowledge', args);
    const { structured: item } = await call('get_item', { item_id: structured['itemId'] });
    return { structured, item };
  };
  const count = async () => (await cairn.query('items.list', { limit: 100, surface: 'mcp' })).items.length;
  return { cairn, call, add, count };
};

describe('add_to_knowledge', () => {
  it('needs the scope write, reaches outside Cairn and may be called 60 times per hour', () => {
    expect(addToKnowledge).toMatchObject({ scope: 'write', callsPerHour: 60 });
    expect(addToKnowledge.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: true,
    });
    expect(addToKnowledge.inputSchema).toMatchObject({
      required: ['kind'],
      properties: {
        kind: { enum: ['url', 'text'] },
        text: { minLength: 20, maxLength: 500_000 },
        title: { minLength: 1, maxLength: 500 },
        in_kb: { default: true },
        auto_transform: { default: false },
      },
    });
  });

  it('stores a text as a clip of the agent, titled by its first line', async () => {
    const { structured, item } = await world().add({ kind: 'text', text: `\n  Wick and\tlamp  \n${TEXT}` });
    expect(structured).toMatchObject({ title: 'Wick and lamp', chunks: 1, embeddingStatus: 'pending', position: 1 });
    expect(structured['resource']).toBe(`drobek://knowledge/${structured['itemId']}`);
    expect(item).toMatchObject({ title: 'Wick and lamp', source: { kind: 'agent' }, inKb: true });
    expect(item['content']).toBe(`\n  Wick and\tlamp  \n${TEXT}`);
  });

  it('stores a page with its title and its address', async () => {
    const { structured, item } = await world().add({ kind: 'url', url: PAGE.url });
    expect(structured['title']).toBe('Tide tables');
    expect(item).toMatchObject({ content: PAGE.text, source: { kind: 'url', uri: PAGE.url } });
  });

  it('titles a page without a title by its address, and cuts a title at 500 characters', async () => {
    const { add } = world();
    expect((await add({ kind: 'url', url: NAMELESS.url })).structured['title']).toBe(NAMELESS.url);
    expect((await add({ kind: 'url', url: LONG.url })).structured['title']).toBe('😀'.repeat(500));
  });

  it('shows in the list of recent items which of the two it was', async () => {
    const { add, call } = world();
    await add({ kind: 'text', text: TEXT });
    await add({ kind: 'url', url: PAGE.url });
    const { structured } = await call('list_recent', {});
    expect(structured['items'].map((item: Loose) => item.kind)).toEqual(['document', 'clip']);
  });

  it.each([
    ['a text of 20', { text: 'x'.repeat(20) }],
    ['a text of 20 astral characters', { text: '😀'.repeat(20) }],
    ['a text of 500000', { text: 'x'.repeat(500_000) }],
    ['a title of 1', { title: 'x' }],
    ['a title of 500', { title: 'x'.repeat(500) }],
    ['auto_transform false', { auto_transform: false }],
  ])('accepts %s', async (_, args) => {
    const { structured } = await world().add({ kind: 'text', text: TEXT, ...args });
    expect(structured['position']).toBeGreaterThan(0);
  });

  it('stores in the named folder', async () => {
    const { cairn, add } = world();
    const folderId = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
    const folder = { slug: 'notes', name: 'Notes', tier: 'personal', maxTokensPerRecall: null, readme: '' } as const;
    await cairn.command('folder.create', { folderId, ...folder });
    expect((await add({ kind: 'text', text: TEXT, folder_id: folderId })).item).toMatchObject({ folderId });
  });

  it('keeps an item outside the knowledge base out of search', async () => {
    const { add, call } = world();
    const { item } = await add({ kind: 'text', text: TEXT, in_kb: false });
    expect(item['inKb']).toBe(false);
    const { structured } = await call('search_knowledge_base', { query: 'lighthouse' });
    expect(structured['hits']).toEqual([]);
  });

  it.each([
    ['no kind', { kind: undefined }, 'kind', undefined],
    ['an unknown kind', { kind: 'file' }, 'kind', undefined],
    ['kind null', { kind: null }, 'kind', undefined],
    ['no text', { text: undefined }, 'text', undefined],
    ['a text of 19', { text: 'x'.repeat(19) }, 'text', 20],
    ['a text of 19 astral characters', { text: '😀'.repeat(19) }, 'text', 20],
    ['a text of 500001', { text: 'x'.repeat(500_001) }, 'text', 500_000],
    ['a blank text', { text: ' \n\t'.repeat(20) }, 'text', undefined],
    ['a text with NUL', { text: `${TEXT}\u0000` }, 'text', undefined],
    ['a text with a lone surrogate', { text: `${TEXT}\ud800` }, 'text', undefined],
    ['a number as text', { text: 42 }, 'text', undefined],
    ['a url next to a text', { url: PAGE.url }, 'url', undefined],
    ['kind url without a url', { kind: 'url', text: undefined }, 'url', undefined],
    ['kind url with a text', { kind: 'url', url: PAGE.url }, 'text', undefined],
    ['an empty url', { kind: 'url', text: undefined, url: '' }, 'url', 1],
    [
      'a url of 2001',
      { kind: 'url', text: undefined, url: `https://x.example.com/${'x'.repeat(2_000)}` },
      'url',
      2_000,
    ],
    ['a number as url', { kind: 'url', text: undefined, url: 42 }, 'url', undefined],
    ['an empty title', { title: '' }, 'title', 1],
    ['a blank title', { title: '  ' }, 'title', undefined],
    ['a title of 501', { title: 'x'.repeat(501) }, 'title', 500],
    ['a number as title', { title: 42 }, 'title', undefined],
    ['in_kb as a word', { in_kb: 'yes' }, 'in_kb', undefined],
    ['auto_transform as a word', { auto_transform: 'no' }, 'auto_transform', undefined],
    ['auto_transform true', { auto_transform: true }, 'auto_transform', undefined],
    ['a folder that is not a UUID', { folder_id: 'inbox' }, 'folder_id', undefined],
    ['an unknown field', { tags: ['a'] }, 'tags', undefined],
  ])('refuses %s and names the field', async (_, args, field, limit) => {
    const { call, count } = world();
    const error: unknown = await call('add_to_knowledge', { kind: 'text', text: TEXT, ...args }).catch(
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ kind: 'invalid', details: { field, ...(limit ? { limit } : {}) } });
    expect((error as AppError).message).toContain(field);
    expect(await count()).toBe(0);
  });

  it('reports that nothing rewrites texts, instead of ignoring the argument', async () => {
    const work = world().call('add_to_knowledge', { kind: 'text', text: TEXT, auto_transform: true });
    await expect(work).rejects.toThrow('auto_transform must be false: Cairn keeps texts as they are and rewrites none');
  });

  it('stores nothing of a page that cannot be fetched', async () => {
    const { call, count } = world();
    const work = call('add_to_knowledge', { kind: 'url', url: 'https://gone.example.com/', title: 'Gone' });
    await expect(work).rejects.toMatchObject({ code: 'url.unreachable', kind: 'unavailable' });
    expect(await count()).toBe(0);
  });
});
