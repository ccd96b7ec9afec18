import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CONFIRMATION_PREVIEW_CHARS, CONFIRMATION_UNDO_MS } from '@cairn/contracts';
import { newestOp, newWord } from './knowledge.js';
import { connect, embedded, ERAS, newToken, newWorkspace, rest, storeItem, type ToolClient } from './under-test.js';

const SCOPES = ['memory:write', 'memory:read', 'read'];

describe.each(ERAS)('remember in the %s', (era) => {
  let admin: string;
  let client: ToolClient;
  let folders: Record<string, string>;

  const addFolder = async (slug: string, name: string, more = {}): Promise<string> => {
    const { status, body } = await rest(admin, 'POST', '/folders', { slug, name, ...more });
    expect([slug, status]).toEqual([slug, 201]);
    return body.id as string;
  };
  const remember = async (args: Record<string, unknown>, by = client): Promise<Record<string, any>> => {
    const { isError, structuredContent } = await by.call('remember', { text: 'A text.', ...args });
    expect([structuredContent, isError ?? false]).toEqual([structuredContent, false]);
    return structuredContent;
  };
  const refused = async (args: Record<string, unknown>, by = client): Promise<Record<string, any>> => {
    const { isError, structuredContent } = await by.call('remember', { text: `A text ${randomUUID()}`, ...args });
    expect([structuredContent, isError]).toEqual([structuredContent, true]);
    return structuredContent;
  };
  const itemCount = async (): Promise<number> =>
    (await rest(admin, 'GET', '/ops?type=item.stored&limit=100')).body.items.length;
  const folderNames = async (): Promise<string[]> =>
    (await rest(admin, 'GET', '/folders?limit=100')).body.items.map(({ name }: any) => name);
  const listed = async (status: string, id: string): Promise<any> =>
    (await rest(admin, 'GET', `/confirmations?status=${status}&limit=100`)).body.items.find(
      (one: any) => one.id === id,
    );
  const pending = (id: string): Promise<any> => listed('pending', id);
  const requestOp = async (id: string): Promise<any> =>
    (await rest(admin, 'GET', '/ops?type=confirmation.requested&limit=100')).body.items.find(
      ({ data }: any) => data.confirmationId === id,
    );
  const decide = (id: string, decision: Record<string, unknown>) =>
    rest(admin, 'POST', `/confirmations/${id}`, decision);
  const found = async (word: string): Promise<string[]> => {
    const { structuredContent } = await client.call('search_knowledge_base', { query: word, mode: 'keyword' });
    return structuredContent['hits'].map(({ itemId }: any) => itemId);
  };

  beforeAll(async () => {
    admin = (await newWorkspace()).token;
    folders = {
      work: await addFolder('work', 'Work decisions'),
      books: await addFolder('book-notes', 'Book Notes'),
      recipes: await addFolder('recipes', 'Recipes'),
      diary: await addFolder('diary', 'My Diary', { tier: 'sensitive' }),
    };
    client = await connect(await newToken(admin, { agentId: 'agent-1', scopes: SCOPES }), era);
    // From here on, the client validates every answer, including failures, against the published schemas.
    await client.listTools();
  });
  afterAll(() => client.close());

  it('[N-37] [N-16] [N-19] [N-23] [N-24] runs the example of its spec, and recall returns the memory', async () => {
    const answer = await remember({
      text: 'Decided to use PostgreSQL for the new service. SQLite was ruled out due to concurrent write requirements.',
      target_engram: 'Work decisions',
      label: 'DB choice',
      kind: 'clip',
    });
    expect(answer).toEqual({
      sourceId: expect.any(String),
      graphId: 'work',
      nodeCount: 1,
      position: expect.any(Number),
    });
    const { body } = await rest(admin, 'GET', `/items/${answer['sourceId']}`);
    expect(body).toMatchObject({
      title: 'DB choice',
      kind: 'clip',
      folderId: folders['work'],
      inKb: true,
      source: { kind: 'agent' },
      createdByAgentId: 'agent-1',
    });
    expect(await found('PostgreSQL')).toContain(answer['sourceId']);
    await embedded(admin, answer['sourceId']);
    const recalled = await client.call('recall', { query: 'Which database was chosen for the service?' });
    expect(recalled.structuredContent['results'][0]).toMatchObject({ sourceId: answer['sourceId'], graph: 'work' });
  });

  it.each(['Book Notes', 'book-notes', 'booknotes'])('[N-27] [N-29] resolves %s to the same engram', async (name) => {
    expect(await remember({ target_engram: name })).toMatchObject({ graphId: 'book-notes' });
  });

  it('[N-18] takes a slug literally, without the resolver, and rejects an unknown one', async () => {
    expect(await remember({ graphId: 'book-notes' })).toMatchObject({ graphId: 'book-notes' });
    const before = await newestOp(admin);
    for (const graphId of ['booknotes', 'Book Notes', 'no-such']) {
      const refusal = await refused({ graphId });
      expect(refusal).toMatchObject({ code: 'engram.not_found', retry: false, field: 'graphId' });
      expect(refusal['engrams']).toContain('Book Notes');
    }
    expect(await newestOp(admin)).toBe(before);
  });

  it('[N-72] [N-73] uses the default engram if none is named, or the only one of a token', async () => {
    const { sourceId, graphId } = await remember({ text: 'No target at all.' });
    expect(graphId).toBe('inbox');
    const { chunks, folderId } = (await rest(admin, 'GET', `/items/${sourceId}`)).body;
    expect([chunks[0].text, await folderNames()]).toEqual(['No target at all.', expect.arrayContaining(['Inbox'])]);
    expect((await rest(admin, 'GET', `/folders/${folderId}`)).body.slug).toBe('inbox');
    const grant = { isUnscoped: false, folderIds: [folders['recipes']], scopes: SCOPES };
    const cook = await connect(await newToken(admin, grant), era);
    expect(await remember({}, cook)).toMatchObject({ graphId: 'recipes' });
    const outside = await refused({ target_engram: 'Book Notes' }, cook);
    expect(outside).toMatchObject({ code: 'engram.not_found', engrams: ['Recipes'] });
    await cook.close();
  });

  it('[N-20] [N-21] derives the label from the beginning of the text, and keeps the kind', async () => {
    const first = (await rest(admin, 'GET', `/items/${(await remember({ text: 'Long.' }))['sourceId']}`)).body;
    expect([first.kind, first.title]).toEqual(['clip', 'Long.']);
    const { sourceId } = await remember({ text: '# Short\n\nA talk.', kind: 'ai-conversation' });
    const second = (await rest(admin, 'GET', `/items/${sourceId}`)).body;
    expect([second.kind, second.title]).toEqual(['ai-conversation', 'Short']);
    const talks = (await rest(admin, 'GET', '/items?kind=ai-conversation')).body.items;
    expect(talks.map(({ id }: any) => id)).toEqual([sourceId]);
  });

  it('[N-20] shows that label in every list and answer, and another one when its chunk is forgotten', async () => {
    const [head, tail] = [newWord(), newWord()];
    const filler = 'This sentence fills the text so that it is cut into several chunks. '.repeat(150);
    const { sourceId } = await remember({ text: `${head} begins. ${filler}\n\nOnly here: ${tail}.` });
    await embedded(admin, sourceId);
    const shown = async (): Promise<string[]> => {
      const byKeyword = await reader.call('search_knowledge_base', { query: tail, mode: 'keyword' });
      const byItem = await reader.call('search_knowledge', { query: tail });
      const recalled = await reader.call('recall', { query: `Only here: ${tail}`, minScore: 0 });
      const recent = await reader.call('list_recent', { limit: 1 });
      const [op] = (await rest(admin, 'GET', `/ops?itemId=${sourceId}&limit=1`)).body.items;
      return [
        byKeyword.structuredContent['hits'][0].title,
        byItem.structuredContent['hits'][0].title,
        recalled.structuredContent['results'].find((hit: any) => hit.sourceId === sourceId).sourceName,
        recent.structuredContent['items'][0].title,
        op.item.title,
        (await rest(admin, 'GET', '/items?limit=1')).body.items[0].title,
        (await rest(admin, 'GET', `/items/${sourceId}`)).body.title,
      ];
    };
    const reader = await connect(admin, era);
    for (const title of await shown()) expect(title.startsWith(`${head} begins.`)).toBe(true);
    const { chunks } = (await rest(admin, 'GET', `/items/${sourceId}`)).body;
    expect(chunks.length).toBeGreaterThan(3);
    expect((await rest(admin, 'DELETE', `/chunks/${chunks[0].id}`)).status).toBe(200);
    for (const title of await shown()) {
      expect(title).not.toContain(head);
      expect(title).toContain('sentence fills');
    }
    await reader.close();
  });

  it('[N-17] rejects both targets, a third kind and an empty text, and names the field', async () => {
    const both = await refused({ graphId: 'work', target_engram: 'Work decisions' });
    expect(both).toMatchObject({ code: 'input.invalid', field: 'graphId', retry: false });
    expect(await refused({ kind: 'note' })).toMatchObject({ field: 'kind' });
    const { structuredContent, isError } = await client.call('remember', { target_engram: 'Inbox' });
    expect([isError, structuredContent['field']]).toEqual([true, 'text']);
  });

  it.each([
    ['book', 'Book Notes', 'book-notes', 'contains your text'],
    ['Notes Book', 'Book Notes', 'book-notes', 'same words'],
    ['Recieps', 'Recipes', 'recipes', 'close spelling'],
  ])(
    '[N-28] [N-30] [N-32] [N-36] answers %s with the closest names and the reason, and writes nothing',
    async (asked, name, graphId, match) => {
      const before = await itemCount();
      const refusal = await refused({ target_engram: asked, label: 'A label' });
      expect(refusal).toEqual({
        code: 'engram.close_matches',
        message: expect.stringContaining(name),
        retry: false,
        suggestedName: asked,
        candidates: [{ name, graphId, match }],
        confirmationId: expect.any(String),
        correlationId: expect.any(String),
      });
      expect(await itemCount()).toBe(before);
      expect(await pending(refusal['confirmationId'])).toEqual({
        id: refusal['confirmationId'],
        suggestedName: asked,
        reason: 'close',
        candidates: [{ folderId: expect.any(String), name, match, score: expect.any(Number) }],
        label: 'A label',
        preview: expect.any(String),
        kind: 'clip',
        agentId: 'agent-1',
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
      });
    },
  );

  it('[N-34] [N-36] answers a name that is far from all others with all names, and creates nothing', async () => {
    const before = await folderNames();
    const refusal = await refused({ target_engram: 'Xylophone' });
    expect(refusal).toEqual({
      code: 'engram.not_found',
      message: expect.stringContaining('"Book Notes"'),
      retry: false,
      suggestedName: 'Xylophone',
      engrams: expect.arrayContaining(['Inbox', 'Work decisions', 'Book Notes', 'Recipes']),
      confirmationId: expect.any(String),
      correlationId: expect.any(String),
    });
    const waiting = await pending(refusal['confirmationId']);
    expect(waiting).toMatchObject({ reason: 'none', candidates: [], suggestedName: 'Xylophone' });
    expect(Date.parse(waiting.expiresAt) - Date.parse(waiting.createdAt)).toBe(24 * 3_600_000);
    expect(await folderNames()).toEqual(before);
  });

  it('shows the person who decides the beginning of the text, and a label only if there is one', async () => {
    const text = `${'😀'.repeat(CONFIRMATION_PREVIEW_CHARS)} and more`;
    const { confirmationId } = await refused({ target_engram: 'Xylophone', text });
    const waiting = await pending(confirmationId);
    expect(waiting).toMatchObject({ label: null, preview: '😀'.repeat(CONFIRMATION_PREVIEW_CHARS) });
    const { itemId } = (await decide(confirmationId, { action: 'use', folderId: folders['books'] })).body;
    expect((await rest(admin, 'GET', `/items/${itemId}`)).body.content).toBe(text);
  });

  it('[N-25] rejects a sensitive engram, and names it only to a caller that named it', async () => {
    const before = await newestOp(admin);
    for (const target of [{ graphId: 'diary' }, { target_engram: 'My Diary' }, { target_engram: 'mydiary' }]) {
      expect(await refused(target)).toMatchObject({ code: 'engram.sensitive', retry: false });
    }
    expect(await newestOp(admin)).toBe(before);
    for (const target of [{ graphId: 'dairy' }, { target_engram: 'My Diaries' }, { target_engram: 'Zeppelin' }]) {
      expect(JSON.stringify(await refused(target))).not.toMatch(/my diary|"diary"/i);
    }
  });

  it('asks once when the same agent repeats a memory: every answer has the same confirmation id', async () => {
    const args = { target_engram: 'Bok Nots', text: `The same ${randomUUID()}` };
    const ids = new Set<string>();
    for (let i = 0; i < 3; i++) ids.add((await refused(args))['confirmationId']);
    expect(ids.size).toBe(1);
  });

  it('[N-33] stores the waiting text in the folder that a person chooses, and it is found', async () => {
    const word = newWord();
    const refusal = await refused({ target_engram: 'Recieps', text: `Bake ${word} slowly.`, label: 'Baking' });
    expect(await found(word)).toEqual([]);
    const { status, body } = await decide(refusal['confirmationId'], { action: 'use', folderId: folders['books'] });
    expect([status, body]).toEqual([
      200,
      { itemId: expect.any(String), folderId: folders['books'], position: expect.any(Number) },
    ]);
    expect(await found(word)).toEqual([body.itemId]);
    const item = (await rest(admin, 'GET', `/items/${body.itemId}`)).body;
    expect(item).toMatchObject({ title: 'Baking', kind: 'clip', createdByAgentId: 'agent-1' });
    expect(item.content).toBe(`Bake ${word} slowly.`);
    expect(await pending(refusal['confirmationId'])).toBeUndefined();
  });

  it('[N-33] [N-35] creates an engram only when a person decides so, under the suggested name or another', async () => {
    const name = `Garden ${newWord()}`;
    const first = await refused({ target_engram: name, kind: 'ai-conversation' });
    expect(await folderNames()).not.toContain(name);
    const made = (await decide(first['confirmationId'], { action: 'create' })).body;
    const folder = (await rest(admin, 'GET', `/folders/${made.folderId}`)).body;
    expect(folder).toMatchObject({ name, slug: name.toLowerCase().replace(' ', '-'), tier: 'personal' });
    expect((await rest(admin, 'GET', `/items/${made.itemId}`)).body).toMatchObject({
      folderId: made.folderId,
      kind: 'ai-conversation',
    });
    expect(await remember({ target_engram: name })).toMatchObject({ graphId: folder.slug });
    const second = await refused({ target_engram: `Qwortz ${newWord()}` });
    const other = (await decide(second['confirmationId'], { action: 'create', name: 'Book Notes' })).body;
    expect(other.folderId).toBe(folders['books']);
  });

  it('shows nothing of a dismissed memory, and decides nothing twice', async () => {
    const word = newWord();
    const { confirmationId } = await refused({ target_engram: 'Recieps', text: `Never ${word}.` });
    const dismissed = await decide(confirmationId, { action: 'dismiss' });
    expect(dismissed).toEqual({ status: 200, body: { dismissed: true, position: expect.any(Number) } });
    for (const decision of [
      { action: 'use', folderId: folders['work'] },
      { action: 'create' },
      { action: 'dismiss' },
    ]) {
      const again = await decide(confirmationId, decision);
      expect([again.status, again.body.error.code]).toEqual([409, 'confirmation.closed']);
    }
    expect([await found(word), await pending(confirmationId)]).toEqual([[], undefined]);
    expect(await requestOp(confirmationId)).toMatchObject({
      kind: 'confirmation_request',
      data: { sealed: '<forgotten>' },
    });
  });

  it('lists dismissed memories as long as they can be restored, and a restore brings them back', async () => {
    const word = newWord();
    const { confirmationId } = await refused({ target_engram: 'Recieps', text: `Never ${word}.` });
    const before = await pending(confirmationId);
    const sent = Date.now();
    await decide(confirmationId, { action: 'dismiss' });
    const { restorableUntil, ...discarded } = await listed('discarded', confirmationId);
    expect(discarded).toEqual(before);
    const undoMs = Date.parse(restorableUntil) - sent;
    expect([undoMs >= CONFIRMATION_UNDO_MS, undoMs <= CONFIRMATION_UNDO_MS + Date.now() - sent]).toEqual([true, true]);
    const restored = await decide(confirmationId, { action: 'restore' });
    expect(restored).toEqual({ status: 200, body: { restored: true, position: expect.any(Number) } });
    expect([await pending(confirmationId), await listed('discarded', confirmationId)]).toEqual([before, undefined]);
    expect((await requestOp(confirmationId)).data.sealed.text).toBe(`Never ${word}.`);
    const { itemId } = (await decide(confirmationId, { action: 'use', folderId: folders['books'] })).body;
    expect(await found(word)).toEqual([itemId]);
    const late = await decide(confirmationId, { action: 'restore' });
    expect([late.status, late.body.error.code]).toEqual([409, 'confirmation.closed']);
  });

  it('is decided once by two people at the same moment', async () => {
    const { confirmationId } = await refused({ target_engram: 'Recieps' });
    const before = await itemCount();
    const answers = await Promise.all(
      ['work', 'books', 'recipes', 'work'].map((one) =>
        decide(confirmationId, { action: 'use', folderId: folders[one] }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(await itemCount()).toBe(before + 1);
  });

  it('is decided once under one idempotency key, and answered twice', async () => {
    const { confirmationId } = await refused({ target_engram: 'Recieps' });
    const headers = { 'idempotency-key': randomUUID() };
    const send = () =>
      rest(admin, 'POST', `/confirmations/${confirmationId}`, { action: 'use', folderId: folders['work'] }, headers);
    const first = await send();
    expect(first.status).toBe(200);
    expect(await send()).toEqual(first);
  });

  it('cannot be decided for an unknown folder or an unknown confirmation', async () => {
    const { confirmationId } = await refused({ target_engram: 'Recieps' });
    const nowhere = await decide(confirmationId, { action: 'use', folderId: randomUUID() });
    expect([nowhere.status, nowhere.body.error.code]).toEqual([404, 'folder.not_found']);
    expect(await pending(confirmationId)).toBeDefined();
    const unknown = await decide(randomUUID(), { action: 'dismiss' });
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'confirmation.not_found']);
    const { status, body } = await decide(confirmationId, { action: 'use' });
    expect([status, body.error.field]).toEqual([400, 'folderId']);
    const placed = await decide(confirmationId, { action: 'restore', folderId: folders['work'] });
    expect([placed.status, placed.body.error.field]).toEqual([400, 'folderId']);
  });

  it('[N-35] leaves the engrams unchanged, whatever a tool is called with', async () => {
    const before = await folderNames();
    const hands = await connect(admin, era);
    const { id } = await storeItem(admin, { title: 'An item', text: 'Something to find.' });
    const guesses = { item_id: id, query: 'Nowhere', text: 'Twenty characters at least.', kind: 'text', title: 'x' };
    for (const { name, inputSchema } of await hands.listTools()) {
      const known = Object.keys(inputSchema.properties ?? {});
      const args = { ...guesses, body: 'x', oldId: id, newId: id, graphs: ['Nowhere'], target_engram: 'Nowhere' };
      const own = Object.fromEntries(Object.entries(args).filter(([key]) => known.includes(key)));
      await hands
        .call(name, name === 'remember' ? { text: 'x', target_engram: 'Nowhere' } : own)
        .catch(() => undefined);
    }
    await hands.close();
    expect(await folderNames()).toEqual(before);
  });

  it('[N-26] instructs a model to prefer the name, and what to do without one', async () => {
    const tool = (await client.listTools()).find(({ name }) => name === 'remember')!;
    expect(tool.description).toMatch(/prefer that to graphId/);
    expect(tool.description).toMatch(/do not retry/);
    expect(tool.inputSchema).toMatchObject({ required: ['text'], additionalProperties: false });
  });
});
