import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newWord } from './knowledge.js';
import { connect, embedded, newToken, newWorkspace, rest, storeItem, type ToolClient } from './under-test.js';

const MODES = ['keyword', 'semantic', 'hybrid'] as const;

describe('placing items', () => {
  let admin: string;
  let [inbox, notes] = ['', ''];
  const clients = new Map<string, ToolClient>();

  const mcp = async (token: string): Promise<ToolClient> => {
    const client = clients.get(token) ?? (await connect(token));
    clients.set(token, client);
    return client;
  };

  const itemsFound = async (token: string, query: string, mode: (typeof MODES)[number]): Promise<string[]> => {
    const { structuredContent } = await (await mcp(token)).call('search_knowledge_base', { query, mode, limit: 20 });
    expect(structuredContent).toMatchObject({ degraded: false });
    return structuredContent['hits'].map(({ itemId }: { itemId: string }) => itemId);
  };

  /** The modes of search_knowledge_base in which the token finds the item, and whether search_knowledge finds it. */
  const finds = async (token: string, query: string, itemId: string): Promise<string[]> => {
    const found: string[] = [];
    for (const mode of MODES) if ((await itemsFound(token, query, mode)).includes(itemId)) found.push(mode);
    const { structuredContent } = await (
      await mcp(token)
    ).call('search_knowledge', {
      query,
      limit: 50,
      includeSuperseded: true,
      includeExpired: true,
    });
    const hits: { id: string }[] = structuredContent['hits'];
    return hits.some(({ id }) => id === itemId) ? [...found, 'search_knowledge'] : found;
  };
  const EVERYWHERE = [...MODES, 'search_knowledge'];

  const patch = async (token: string, id: string, change: object) => {
    const { status, body } = await rest(token, 'PATCH', `/items/${id}`, change);
    expect([status, body.error]).toEqual([200, undefined]);
    return body;
  };

  const addFolder = async (name: string): Promise<string> =>
    (await rest(admin, 'POST', '/folders', { slug: `${name}-${randomUUID().slice(0, 8)}`, name })).body.id;

  const store = async (text: string, more: Record<string, unknown> = {}): Promise<string> => {
    const { id } = await storeItem(admin, { title: 'An item', text, folderId: inbox, ...more });
    if (more['inKb'] !== false) await embedded(admin, id);
    return id;
  };

  beforeAll(async () => {
    admin = (await newWorkspace()).token;
    inbox = (await rest(admin, 'GET', '/folders')).body.items[0].id;
    notes = await addFolder('notes');
    for (let i = 0; i < 3; i++) await store(`Filler number ${i} about harbours and tides.`);
  });
  afterAll(async () => {
    for (const client of clients.values()) await client.close();
  });

  it('[G-28] [G-29] never shows an item outside the knowledge base to any token, until it is added to it', async () => {
    const id = await store('The lighthouse keeper counts quillfish at dawn.', { inKb: false });
    const kbOnly = await newToken(admin, { scopes: ['read', 'knowledge:read'], kbOnly: true });
    // The token that makes the change asks last: its wait would also let the others see the change.
    const tokens = [
      await newToken(admin, { scopes: ['read', 'knowledge:read'] }),
      kbOnly,
      await newToken(admin, { scopes: ['read', 'knowledge:read'], isUnscoped: false, folderIds: [inbox] }),
      admin,
    ];
    for (const token of tokens) expect(await finds(token, 'quillfish lighthouse keeper', id)).toEqual([]);
    expect((await rest(kbOnly, 'GET', `/items/${id}`)).status).toBe(404);
    const content = 'The lighthouse keeper counts quillfish at dawn.';
    const outside = { inKb: false, content, chunks: [], embeddingStatus: 'ready' };
    expect((await rest(admin, 'GET', `/items/${id}`)).body).toMatchObject(outside);

    expect(await patch(admin, id, { inKb: true })).toMatchObject({ id, inKb: true, position: expect.any(Number) });
    for (const token of tokens) expect(await itemsFound(token, 'quillfish', 'keyword')).toEqual([id]);
    await embedded(admin, id);
    for (const token of tokens) expect(await finds(token, 'quillfish lighthouse keeper', id)).toEqual(EVERYWHERE);
    const { chunks } = (await rest(admin, 'GET', `/items/${id}`)).body;
    expect(chunks).toEqual([{ id: expect.any(String), ordinal: 0, text: content }]);

    await patch(admin, id, { inKb: false });
    expect((await rest(admin, 'GET', `/items/${id}`)).body).toMatchObject(outside);
    for (const token of tokens) expect(await finds(token, 'quillfish lighthouse keeper', id)).toEqual([]);

    await patch(admin, id, { inKb: true });
    for (const token of tokens) expect(await finds(token, 'quillfish lighthouse keeper', id)).toEqual(EVERYWHERE);
  });

  it('[G-29] stores items outside the knowledge base without chunks, and without waiting for vectors', async () => {
    const body = { title: 'Kept out', text: 'No one searches this.', inKb: false };
    const stored = await rest(admin, 'POST', '/items', body);
    expect([stored.status, stored.body]).toEqual([
      201,
      { id: expect.any(String), chunkIds: [], embeddingStatus: 'ready', position: expect.any(Number) },
    ]);
  });

  it('[G-29b] shows a move between the folders of two tokens in the very next call', async () => {
    const grant = { scopes: ['read', 'write', 'knowledge:read'], isUnscoped: false };
    const ofInbox = await newToken(admin, { ...grant, folderIds: [inbox] });
    const ofNotes = await newToken(admin, { ...grant, folderIds: [notes] });
    const ofBoth = await newToken(admin, { ...grant, folderIds: [inbox, notes] });
    const id = await store('A walrus keeps the ledger of the northern pier.');
    const query = 'walrus ledger northern pier';
    expect([await finds(ofInbox, query, id), await finds(ofNotes, query, id)]).toEqual([EVERYWHERE, []]);
    await patch(ofBoth, id, { folderId: notes });
    expect([await finds(ofNotes, query, id), await finds(ofInbox, query, id)]).toEqual([EVERYWHERE, []]);
    expect(await finds(ofBoth, query, id)).toEqual(EVERYWHERE);
    expect((await rest(ofInbox, 'GET', `/items/${id}`)).status).toBe(404);
    await patch(ofBoth, id, { folderId: inbox });
    expect([await finds(ofInbox, query, id), await finds(ofNotes, query, id)]).toEqual([EVERYWHERE, []]);
    expect(await finds(ofBoth, query, id)).toEqual(EVERYWHERE);
  });

  it('[G-29b] is rejected for a token without both folders, with the answer for unknown items', async () => {
    const grant = { scopes: ['read', 'write'], isUnscoped: false };
    const ofInbox = await newToken(admin, { ...grant, folderIds: [inbox] });
    const [here, there] = [await store('one thing'), await store('another thing', { folderId: notes })];
    const refusal = async (id: string, change: object) => {
      const { status, body } = await rest(ofInbox, 'PATCH', `/items/${id}`, change);
      const { correlationId: _, ...error } = body.error;
      return { status, error };
    };
    const noItem = await refusal(randomUUID(), { inKb: false });
    expect(noItem).toMatchObject({ status: 404, error: { code: 'item.not_found', field: 'id' } });
    expect(await refusal(there, { inKb: false })).toEqual(noItem);
    expect(await refusal(there, { folderId: inbox })).toEqual(noItem);
    const noFolder = await refusal(here, { folderId: randomUUID() });
    expect(noFolder).toMatchObject({ status: 404, error: { code: 'folder.not_found', field: 'folderId' } });
    expect(await refusal(here, { folderId: notes })).toEqual(noFolder);
    expect((await rest(admin, 'GET', `/items/${here}`)).body.folderId).toBe(inbox);
  });

  it('[G-28] is limited to the knowledge base for a kbOnly token', async () => {
    const kbOnly = await newToken(admin, { scopes: ['read', 'write'], kbOnly: true });
    const id = await store('kept in');
    for (const [method, path, body] of [
      ['PATCH', `/items/${id}`, { inKb: false }],
      ['POST', '/items', { title: 't', text: 'x', inKb: false }],
    ] as const) {
      const refused = await rest(kbOnly, method, path, body);
      expect([refused.status, refused.body.error.code, refused.body.error.field]).toEqual([
        422,
        'item.kb_only',
        'inKb',
      ]);
    }
    expect(await patch(kbOnly, id, { title: 'Renamed from inside' })).toMatchObject({ title: 'Renamed from inside' });
    const outside = await store('kept out', { inKb: false });
    expect((await rest(kbOnly, 'PATCH', `/items/${outside}`, { inKb: true })).status).toBe(404);
  });

  it('makes items findable by the new title and tags, and no longer by the old ones, for other tokens too', async () => {
    const reader = await newToken(admin, { scopes: ['read', 'knowledge:read'] });
    const id = await store('Text that stays as it is.', { title: 'Zephyrhead', tags: ['before'] });
    expect(await itemsFound(reader, 'zephyrhead', 'keyword')).toEqual([id]);
    const changed = await patch(admin, id, { title: 'Quartzhead', tags: ['After-Wards'] });
    expect(changed).toMatchObject({ title: 'Quartzhead', tags: ['after-wards'], embeddingStatus: 'ready' });
    expect(changed.updatedAt > changed.createdAt).toBe(true);
    expect(await itemsFound(reader, 'quartzhead', 'keyword')).toEqual([id]);
    expect(await itemsFound(reader, 'zephyrhead', 'keyword')).toEqual([]);
    const tagged = async (tag: string) => {
      const client = await mcp(reader);
      const { structuredContent } = await client.call('search_knowledge', { query: 'Quartzhead', tags: [tag] });
      return structuredContent['hits'].map((hit: { id: string }) => hit.id);
    };
    expect([await tagged('after-wards'), await tagged('before')]).toEqual([[id], []]);
    expect((await rest(admin, 'GET', `/items/${id}`)).body.content).toBe('Text that stays as it is.');
  });

  it('appears as reingest in the op-log, decrypted for an admin', async () => {
    const id = await store('an op with a text', { inKb: false });
    await patch(admin, id, { inKb: true, title: 'Opened' });
    const { body } = await rest(admin, 'GET', `/ops?itemId=${id}&kind=reingest`);
    expect(body.items).toHaveLength(1);
    expect(body.items[0]).toMatchObject({
      type: 'item.placed',
      data: { inKb: true, meta: { title: 'Opened' }, chunks: [{ text: 'an op with a text' }] },
    });
  });

  it('takes effect once under an Idempotency-Key', async () => {
    const id = await store('done once');
    const headers = { 'idempotency-key': randomUUID() };
    const send = (title: string) => rest(admin, 'PATCH', `/items/${id}`, { title }, headers);
    const first = await send('First');
    await patch(admin, id, { title: 'Second' });
    const again = await send('First');
    expect([again.status, again.body.position, again.body.title]).toEqual([200, first.body.position, 'Second']);
    expect((await send('Third')).body.error.code).toBe('idempotency.key_reused');
  });
});

describe('changing a folder', () => {
  it('renames it, and hides its chunks from MCP in the very next call when it becomes sensitive', async () => {
    const admin = (await newWorkspace()).token;
    const { body: folder } = await rest(admin, 'POST', '/folders', { slug: 'papers', name: 'Papers' });
    const { id } = await storeItem(admin, { title: 'P', text: 'The heron writes minutes.', folderId: folder.id });
    await embedded(admin, id);
    const client = await connect(await newToken(admin, { scopes: ['read'] }));
    const found = async () => {
      const answers = [];
      for (const mode of MODES) {
        const { structuredContent } = await client.call('search_knowledge_base', { query: 'heron minutes', mode });
        answers.push(structuredContent['hits'].length);
      }
      return answers;
    };
    const configure = (change: object) => rest(admin, 'PATCH', `/folders/${folder.id}`, change);
    expect(await found()).toEqual([1, 1, 1]);
    const renamed = await configure({ name: 'Letters', maxTokensPerRecall: 10, readme: 'About letters' });
    expect(renamed.body).toMatchObject({ name: 'Letters', tier: 'personal', maxTokensPerRecall: 10 });
    expect(await found()).toEqual([1, 1, 1]);
    await configure({ tier: 'sensitive' });
    expect(await found()).toEqual([0, 0, 0]);
    const writer = await newToken(admin, { scopes: ['read', 'write'] });
    const escape = await rest(writer, 'PATCH', `/items/${id}`, { title: 'Seen after all' });
    expect([escape.status, escape.body.error.code]).toEqual([404, 'item.not_found']);
    await configure({ tier: 'public' });
    expect(await found()).toEqual([1, 1, 1]);
    await client.close();
  });
});

describe('a sensitive folder', () => {
  it('does not affect the scores of a keyword search, whatever is stored in it', async () => {
    const admin = (await newWorkspace()).token;
    const word = newWord();
    await storeItem(admin, { title: 'Open', text: `The ${word} is painted.` });
    const { body: folder } = await rest(admin, 'POST', '/folders', { slug: 'd', name: 'D', tier: 'sensitive' });
    const client = await connect(await newToken(admin, { scopes: ['read'] }));
    const rawScore = async (): Promise<number> => {
      const asked = { query: word, mode: 'keyword', explain: true };
      const { structuredContent } = await client.call('search_knowledge_base', asked);
      expect(structuredContent['hits']).toHaveLength(1);
      return structuredContent['hits'][0].explain.legs[0].rawScore;
    };
    const before = await rawScore();
    for (let i = 0; i < 6; i++)
      await storeItem(admin, { title: `Secret ${i}`, text: `${word} and once more ${word}`, folderId: folder.id });
    // Other tests store in the same index meanwhile, without this word; six more texts with it would cost a fifth.
    expect(await rawScore()).toBeGreaterThan(0.9 * before);
    await client.close();
  });
});

describe('the quota of stored knowledge', () => {
  it('[D-22] [D-23] rejects what exceeds it, stores nothing and counts nothing', async () => {
    const admin = (await newWorkspace()).token;
    const client = await connect(admin);
    const store = (title: string) => client.call('store_knowledge', { title, body: 'An entry.' });
    const quotas = async () => (await rest(admin, 'GET', '/quotas')).body;
    expect(await quotas()).toMatchObject({ knowledge_stored: { limit: null, used: 0 } });
    await store('One');
    const set = await rest(admin, 'PUT', '/quotas/knowledge_stored', { limit: 2 });
    expect([set.status, set.body]).toEqual([200, { limit: 2, used: 1, position: expect.any(Number) }]);
    const attempts = await Promise.all(['Two', 'Three', 'Four', 'Five'].map(store));
    const refused = attempts.filter(({ isError }) => isError);
    expect(refused).toHaveLength(3);
    for (const { structuredContent } of refused)
      expect(structuredContent).toMatchObject({ code: 'quota.exceeded', retry: false, limit: 2 });
    expect(await quotas()).toMatchObject({ knowledge_stored: { limit: 2, used: 2 } });
    expect((await rest(admin, 'GET', '/items')).body.items).toHaveLength(2);
    await storeItem(admin, { title: 'A document', text: 'is not a knowledge entry' });
    await rest(admin, 'PUT', '/quotas/knowledge_stored', { limit: 3 });
    expect((await store('Six')).isError).toBeFalsy();
    expect((await store('Seven')).structuredContent['code']).toBe('quota.exceeded');
    await rest(admin, 'PUT', '/quotas/knowledge_stored', { limit: null });
    expect((await store('Eight')).isError).toBeFalsy();
    expect(await quotas()).toMatchObject({ knowledge_stored: { limit: null, used: 4 } });
    await client.close();
  });
});
