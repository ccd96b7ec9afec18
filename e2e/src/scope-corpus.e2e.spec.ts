import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { connect, embedded, newToken, newWorkspace, rest, storeItem, type ToolClient } from './under-test.js';

const ITEMS = 240;
/** Items of a group share a word; a group fits into one answer of search_knowledge_base. */
const GROUP = 15;
const WRITES_AT_ONCE = 16;
const RANDOM_QUERIES = 12;
const MODES = ['semantic', 'keyword', 'hybrid'];

const TOPICS = [
  'harbour',
  'lantern',
  'orchard',
  'granite',
  'violin',
  'compass',
  'meadow',
  'engine',
  'letter',
  'winter',
];
const wordOf = (group: number): string => `group${String.fromCharCode(97 + group)}word`;
const topic = (n: number): string => TOPICS[n % TOPICS.length]!;

interface Stored {
  readonly folder: 'left' | 'right' | 'secret';
  readonly group: number;
  readonly inKb: boolean;
  readonly itemId: string;
  readonly chunkId: string;
}

let admin: string;
let folders: Record<Stored['folder'], string>;
let corpus: Stored[];
let tokens: Record<'left' | 'right' | 'both' | 'whole' | 'none', string>;

/** Every group has items in all three folders; every tenth item is outside the knowledge base. */
const placeOf = (n: number): Pick<Stored, 'folder' | 'group' | 'inKb'> => ({
  folder: (['left', 'right', 'secret'] as const)[n % 3]!,
  group: Math.floor(n / GROUP),
  inKb: n % 10 !== 9,
});

const store = async (n: number): Promise<Stored> => {
  const { folder, group, inKb } = placeOf(n);
  const text = `${wordOf(group)}: the ${topic(n)} by the ${topic(n * 7 + 3)} near the ${topic(n * 3 + 1)}, number ${n}.`;
  const item = { title: `The ${topic(n)}`, text, folderId: folders[folder], inKb };
  const { id: itemId, chunkIds } = await storeItem(admin, item);
  return { folder, group, inKb, itemId, chunkId: chunkIds[0]! };
};

beforeAll(async () => {
  admin = (await newWorkspace()).token;
  const folder = async (slug: string, tier: string): Promise<string> =>
    (await rest(admin, 'POST', '/folders', { slug, name: slug, tier })).body.id;
  folders = {
    left: await folder('left', 'personal'),
    right: await folder('right', 'public'),
    secret: await folder('secret', 'sensitive'),
  };
  corpus = [];
  for (let n = 0; n < ITEMS; n += WRITES_AT_ONCE) {
    const some = Array.from({ length: WRITES_AT_ONCE }, (_, i) => store(n + i));
    corpus.push(...(await Promise.all(some)));
  }
  const scopes = ['read', 'knowledge:read'];
  const { left, right, secret } = folders;
  const scoped = (...folderIds: string[]) => newToken(admin, { scopes, isUnscoped: false, folderIds });
  tokens = {
    left: await scoped(left, secret),
    right: await scoped(right),
    both: await scoped(left, right, secret),
    whole: await newToken(admin, { scopes }),
    none: await scoped(),
  };
  for (const { itemId } of corpus.filter(({ inKb }) => inKb).slice(-30)) await embedded(admin, itemId);
}, 180_000);

const chunksIn = (group: number, ...seen: Stored['folder'][]): string[] =>
  corpus
    .filter((stored) => stored.group === group && stored.inKb && seen.includes(stored.folder))
    .map(({ chunkId }) => chunkId)
    .sort();

const found = async (client: ToolClient, tool: string, args: object): Promise<string[]> => {
  const { isError, structuredContent } = await client.call(tool, { ...args });
  expect(isError).not.toBe(true);
  return structuredContent['hits'].map((hit: any) => hit.chunkId ?? hit.id);
};

const withClient = async <T>(token: string, use: (client: ToolClient) => Promise<T>): Promise<T> => {
  const client = await connect(token);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
};

describe('a corpus of many folders', () => {
  it.each([
    ['[G-26] a whole-library token counts every chunk in the knowledge base', 'whole', ['left', 'right']],
    ['[G-25] [G-27] a token of one folder counts the chunks of that folder', 'left', ['left']],
    ['[G-25] [G-27] a token of the other folder counts the chunks of the other', 'right', ['right']],
    ['[G-29a] a token of several folders counts the chunks of all of them', 'both', ['left', 'right']],
    ['[G-29a] a token without folders counts none', 'none', []],
  ] as const)('%s', async (_, name, seen) => {
    await withClient(tokens[name], async (client) => {
      for (let group = 0; group < ITEMS / GROUP; group++) {
        const args = { query: wordOf(group), mode: 'keyword', limit: 20 };
        const chunkIds = await found(client, 'search_knowledge_base', args);
        expect(chunkIds.sort()).toEqual(chunksIn(group, ...seen));
      }
    });
  });

  it('[G-27] leaks nothing to random queries, in any mode, on any search tool, and still fills the answer', async () => {
    for (const name of ['left', 'right'] as const) {
      const own = corpus.filter(({ folder, inKb }) => folder === name && inKb);
      const visible = new Set(own.flatMap(({ chunkId, itemId }) => [chunkId, itemId]));
      await withClient(tokens[name], async (client) => {
        for (let n = 0; n < RANDOM_QUERIES; n++) {
          const query = `${topic(n * 13 + 5)} ${wordOf(n % (ITEMS / GROUP))} ${topic(n * 5 + 2)}`;
          for (const mode of MODES) {
            const hits = await found(client, 'search_knowledge_base', { query, mode, limit: 20 });
            expect(hits.filter((id) => !visible.has(id))).toEqual([]);
            if (mode !== 'keyword') expect(hits).toHaveLength(20);
          }
          const items = await found(client, 'search_knowledge', { query, limit: 50, includeSuperseded: true });
          expect([items.length, items.filter((id) => !visible.has(id))]).toEqual([50, []]);
        }
      });
    }
  }, 120_000);

  it('[G-27] is listed by list_recent and by REST as far as the token sees it', async () => {
    const items = (await rest(tokens.left, 'GET', '/items?limit=100')).body.items;
    expect(new Set(items.map((item: any) => item.folderId))).toEqual(new Set([folders.left]));
    expect(items).toHaveLength(corpus.filter(({ folder }) => folder === 'left').length);
    await withClient(tokens.left, async (client) => {
      const { structuredContent } = await client.call('list_recent', { limit: 100 });
      expect(structuredContent['items'].map((item: any) => item.id)).toEqual(items.map((item: any) => item.id));
    });
  });
});

describe('a sensitive folder', () => {
  const secret = () => corpus.find(({ folder, inKb }) => folder === 'secret' && inKb)!;
  const chunkOf = async (itemId: string): Promise<string> =>
    (await rest(admin, 'GET', `/items/${itemId}`)).body.chunks[0].id;

  it('is not named by a hint about the id of a chunk; a hint names only an item that the caller may read', async () => {
    const [own, other] = (['left', 'right'] as const).map(
      (name) => corpus.find(({ folder, inKb }) => folder === name && inKb)!.itemId,
    );
    await withClient(tokens.left, async (client) => {
      const get = async (item_id: string) => (await client.call('get_item', { item_id })).structuredContent;
      const { code, chunkOf: named, message } = await get(await chunkOf(own!));
      expect([code, named]).toEqual(['item.not_found', own]);
      expect(message).toContain(`Call get_item with item_id ${own}`);
      for (const hidden of [other!, secret().itemId])
        expect(await get(await chunkOf(hidden))).toMatchObject({ code, message: 'there is no such item' });
    });
  });

  it('is neither named nor readable over MCP, not even for an admin', async () => {
    for (const token of [admin, tokens.left, tokens.whole]) {
      await withClient(token, async (client) => {
        const get = async (id: string) =>
          JSON.stringify(await client.call('get_item', { item_id: id })).replace(/[0-9a-f-]{36}/g, '');
        expect(await get(secret().itemId)).toBe(await get(randomUUID()));
        expect(await get(await chunkOf(secret().itemId))).toBe(await get(randomUUID()));
        await expect(client.read(`drobek://knowledge/${secret().itemId}`)).rejects.toThrow('Resource not found');
        const { structuredContent } = await client.call('list_recent', { limit: 100 });
        expect(JSON.stringify(structuredContent)).not.toContain(folders.secret);
      });
    }
  });

  it('is also out of reach of supersede_knowledge', async () => {
    const open = corpus.find(({ folder }) => folder === 'left')!.itemId;
    await withClient(admin, async (client) => {
      const supersede = async (oldId: string, newId: string) =>
        JSON.stringify(await client.call('supersede_knowledge', { oldId, newId })).replace(/[0-9a-f-]{36}/g, '');
      expect(await supersede(secret().itemId, open)).toBe(await supersede(randomUUID(), open));
      expect(await supersede(open, secret().itemId)).toBe(await supersede(open, randomUUID()));
    });
  });

  it('is shown by REST to an admin only, even if its folder is in the list of another token', async () => {
    const statuses = async (token: string) => [
      (await rest(token, 'GET', `/items/${secret().itemId}`)).status,
      (await rest(token, 'GET', `/folders/${folders.secret}`)).status,
      (await rest(token, 'GET', `/items?folderId=${folders.secret}`)).body.items.length > 0,
      (await rest(token, 'GET', '/folders')).body.items.some((folder: any) => folder.id === folders.secret),
    ];
    expect(await statuses(admin)).toEqual([200, 200, true, true]);
    for (const token of [tokens.left, tokens.both, tokens.whole])
      expect(await statuses(token)).toEqual([404, 404, false, false]);
  });
});

describe('a kbOnly token', () => {
  it('[G-29a] sees only items in the knowledge base: by tool, by resource and by REST', async () => {
    const grant = { scopes: ['read', 'knowledge:read'], isUnscoped: false, folderIds: [folders.left] };
    const [kbOnly, all] = [await newToken(admin, { ...grant, kbOnly: true }), await newToken(admin, grant)];
    const outside = corpus.find(({ folder, inKb }) => folder === 'left' && !inKb)!.itemId;
    const inside = corpus.find(({ folder, inKb }) => folder === 'left' && inKb)!.itemId;
    const seen = async (token: string, id: string) =>
      withClient(token, async (client) => [
        (await client.call('get_item', { item_id: id })).isError !== true,
        await client.read(`drobek://knowledge/${id}`).then(Boolean, () => false),
        (await rest(token, 'GET', `/items/${id}`)).status === 200,
        (await rest(token, 'GET', '/items?limit=100')).body.items.some((item: any) => item.id === id),
        (await client.call('list_recent', { limit: 100 })).structuredContent['items'].some((i: any) => i.id === id),
      ]);
    expect(await seen(all, outside)).toEqual([true, true, true, true, true]);
    expect(await seen(kbOnly, outside)).toEqual([false, false, false, false, false]);
    expect(await seen(kbOnly, inside)).toEqual([true, true, true, true, true]);
    const listed = await rest(kbOnly, 'GET', '/items?limit=100&inKb=false');
    expect(listed.body.items).toEqual([]);
  });
});
