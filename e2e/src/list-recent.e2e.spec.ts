import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, ERAS, newToken, newWorkspace, rest, storeItem, type ToolClient } from './under-test.js';

interface Listed {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly folderId: string;
  readonly createdAt: string;
  readonly resource: string;
}

describe('list_recent', () => {
  let admin: string;
  let client: ToolClient;
  const folders: Record<string, string> = {};
  const ids: string[] = [];

  const list = async (
    by: ToolClient,
    args: Record<string, unknown> = {},
  ): Promise<{ items: Listed[]; text: string }> => {
    const answer = await by.call('list_recent', args);
    expect(answer.isError ?? false).toBe(false);
    return { items: answer.structuredContent['items'], text: answer.content[0]!.text };
  };

  const titlesFor = async (grant: Record<string, unknown>): Promise<string[]> => {
    const own = await connect(await newToken(admin, { scopes: ['read'], ...grant }));
    const { items } = await list(own, { limit: 100 });
    await own.close();
    return items.map(({ title }) => title);
  };

  const store = async (title: string, folder: string, more = {}): Promise<void> => {
    const { id } = await storeItem(admin, { title, text: `${title}.`, folderId: folders[folder], ...more });
    ids.unshift(id);
  };

  beforeAll(async () => {
    admin = (await newWorkspace()).token;
    for (const [slug, tier] of [
      ['open', 'public'],
      ['mine', 'personal'],
      ['vault', 'sensitive'],
    ] as const) {
      folders[slug] = (await rest(admin, 'POST', '/folders', { slug, name: slug, tier })).body.id;
    }
    await store('First', 'open');
    await store('Second', 'mine');
    await store('Secret', 'vault');
    await store('Aside', 'mine', { inKb: false });
    client = await connect(admin);
  });

  afterAll(() => client.close());

  it.each(ERAS)('returns titles and dates, newest first, in the %s', async (era) => {
    const own = await connect(admin, era);
    const { items, text } = await list(own);
    expect(items.map(({ title }) => title)).toEqual(['Aside', 'Second', 'First']);
    expect(text.split('\n')).toEqual(
      items.map(({ title, kind, createdAt }, i) => `${i + 1}. ${title} (${kind}, ${createdAt})`),
    );
    for (const { createdAt, folderId } of items) {
      expect(new Date(createdAt).toISOString()).toBe(createdAt);
      expect([folders['open'], folders['mine']]).toContain(folderId);
    }
    await own.close();
  });

  it('returns the uri for reading the text, and the id for get_item', async () => {
    const { items } = await list(client, { limit: 1 });
    expect(await client.read(items[0]!.resource)).toBe('Aside.');
    const { structuredContent } = await client.call('get_item', { item_id: items[0]!.id });
    expect(structuredContent['content']).toBe('Aside.');
  });

  it('shows a sensitive folder to no token, not even to an admin or a token of that folder', async () => {
    expect((await list(client, { limit: 100 })).items.map(({ title }) => title)).not.toContain('Secret');
    expect(await titlesFor({ isUnscoped: false, folderIds: [folders['vault']] })).toEqual([]);
    const { body } = await rest(admin, 'GET', '/items');
    expect(body.items.map((item: Listed) => item.title)).toContain('Secret');
  });

  it('shows a token only the items of its folders', async () => {
    expect(await titlesFor({ isUnscoped: false, folderIds: [folders['open']] })).toEqual(['First']);
    expect(await titlesFor({ isUnscoped: false, folderIds: [folders['mine']] })).toEqual(['Aside', 'Second']);
  });

  it('shows a knowledge-base token only items in the knowledge base', async () => {
    expect(await titlesFor({ kbOnly: true })).toEqual(['Second', 'First']);
  });

  it('shows nothing of another workspace', async () => {
    const own = await connect((await newWorkspace()).token);
    expect(await list(own)).toEqual({ items: [], text: 'There are no items yet.' });
    await own.close();
  });

  it('returns 20 items by default, accepts limits of 1 to 100, and rejects others with field and limit', async () => {
    const { token } = await newWorkspace();
    const own = await connect(token);
    for (let i = 0; i < 22; i++) await storeItem(token, { title: `Entry ${i}`, text: 'x' });
    expect((await list(own)).items.map(({ title }) => title)).toEqual(
      Array.from({ length: 20 }, (_, i) => `Entry ${21 - i}`),
    );
    for (const [limit, count] of [
      [1, 1],
      [100, 22],
    ] as const) {
      expect((await list(own, { limit })).items).toHaveLength(count);
    }
    for (const [limit, bound] of [
      [0, 1],
      [101, 100],
    ] as const) {
      const refused = await own.call('list_recent', { limit });
      expect(refused).toMatchObject({
        isError: true,
        structuredContent: { field: 'limit', limit: bound, retry: false },
      });
    }
    await own.close();
  });

  it('needs the read scope', async () => {
    const own = await connect(await newToken(admin, { scopes: ['write'] }));
    expect((await own.listTools()).map(({ name }) => name)).not.toContain('list_recent');
    await expect(own.call('list_recent', {})).rejects.toThrow();
    await own.close();
  });
});
