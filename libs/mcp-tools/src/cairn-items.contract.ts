import { beforeEach, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '@cairn/kernel';
import { errorOf, eventually, search, TestWorkspace, type OpenCairn } from './cairn-workspace.builder.js';

/** Several chunks, each sentence different. */
const LONG_TEXT = Array.from({ length: 60 }, (_, i) => `Sentence ${i} tells how the harbour keeps its lamps.`).join(
  ' ',
);

const idsOf = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);
const itemIdsOf = (hits: readonly { readonly itemId: string }[]): string[] => hits.map(({ itemId }) => itemId);

export const describeItems = (open: OpenCairn): void => {
  let workspace: TestWorkspace;
  const get = (itemId: string, port = workspace.admin) => port.query('item.get', { itemId, surface: 'rest' });
  const list = (more: object = {}) => workspace.admin.query('items.list', { limit: 50, surface: 'rest', ...more });

  beforeEach(async () => {
    workspace = await TestWorkspace.create(open);
  });

  describe('item.store', () => {
    it('returns the item, its chunks and an increasing position', async () => {
      const first = await workspace.store();
      const second = await workspace.store();
      expect(first).toEqual({
        itemId: expect.any(String),
        chunkIds: [expect.any(String)],
        position: expect.any(Number),
      });
      expect(second.position).toBeGreaterThan(first.position);
    });

    it('stores all given fields, in the default folder', async () => {
      const { itemId, chunkIds } = await workspace.store({
        tags: ['coast'],
        source: { kind: 'url', name: 'Log book', uri: 'https://example.com/log' },
        confidence: 70,
        expiresAt: '2099-01-01T02:00:00+02:00',
        taskRef: { taskId: 't-1', kind: 'produced' },
      });
      expect(await get(itemId)).toMatchObject({
        id: itemId,
        title: 'Lighthouse',
        kind: 'knowledge',
        folderId: workspace.inboxId,
        inKb: true,
        tags: ['coast'],
        source: { kind: 'url', name: 'Log book', uri: 'https://example.com/log' },
        confidence: 70,
        createdByAgentId: 'alice',
        superseded: false,
        supersededById: null,
        expiresAt: '2099-01-01T00:00:00.000Z',
        links: [{ type: 'task_knowledge', taskId: 't-1', kind: 'produced' }],
        content: 'The keeper trims the wick.',
        chunks: [{ id: chunkIds[0], ordinal: 0, text: 'The keeper trims the wick.' }],
      });
    });

    it('cuts a long text into chunks that give the text again when joined', async () => {
      const { itemId, chunkIds } = await workspace.store({ text: LONG_TEXT });
      const { content, chunks } = await get(itemId);
      expect(chunkIds.length).toBeGreaterThan(1);
      expect(idsOf(chunks)).toEqual(chunkIds);
      expect(content).toBe(LONG_TEXT);
    });

    it('shows no chunks of an item outside the knowledge base, and search does not find it', async () => {
      const { itemId } = await workspace.store({ inKb: false });
      expect(await get(itemId)).toMatchObject({ inKb: false, content: 'The keeper trims the wick.', chunks: [] });
      expect(await search(workspace.admin, 'wick')).toEqual([]);
    });

    it('derives the title of an untitled clip from its text', async () => {
      const { itemId } = await workspace.store({
        title: undefined,
        kind: 'clip',
        text: '# Tide tables\nHigh at nine.',
      });
      expect((await get(itemId)).title).toBe('Tide tables');
    });

    it('becomes ready once its vectors are computed', async () => {
      const { itemId } = await workspace.store();
      await eventually(
        () => get(itemId),
        ({ embeddingStatus }) => embeddingStatus === 'ready',
      );
    });

    it.each([
      ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'knowledge.expires_in_past', 'expiresAt'],
      ['an unknown folder', { folderId: uuidV7() }, 'folder.not_found', 'folderId'],
    ])('rejects %s', async (_, more, code, field) => {
      expect(await errorOf(workspace.store(more))).toMatchObject({ code, details: { field } });
    });

    it('rejects an entry above the quota, until the quota is raised', async () => {
      await workspace.store();
      await workspace.admin.command('quota.set', { name: 'knowledge_stored', limit: 1 });
      expect(await errorOf(workspace.store())).toMatchObject({ code: 'quota.exceeded' });
      expect(await workspace.admin.query('quotas.get', {})).toMatchObject({ knowledge_stored: { limit: 1, used: 1 } });
      await workspace.admin.command('quota.set', { name: 'knowledge_stored', limit: null });
      await workspace.store();
    });
  });

  describe('item.get', () => {
    it('reports an unknown id as not found, and names the item of a chunk', async () => {
      const { itemId, chunkIds } = await workspace.store();
      expect(await errorOf(get(uuidV7()))).toEqual({ code: 'item.not_found', details: { field: 'id' } });
      expect(await errorOf(get(chunkIds[0]!))).toEqual({
        code: 'item.not_found',
        details: { field: 'id', chunkOf: itemId },
      });
    });
  });

  describe('items.list', () => {
    it('returns the newest first, page by page', async () => {
      const stored: string[] = [];
      for (let i = 0; i < 5; i++) stored.unshift((await workspace.store()).itemId);
      const first = await list({ limit: 3 });
      const second = await list({ limit: 3, cursor: first.nextCursor });
      expect([...idsOf(first.items), ...idsOf(second.items)]).toEqual(stored);
      expect(second.nextCursor).toBeNull();
    });

    it('filters by folder, by kind and by membership in the knowledge base', async () => {
      const folderId = await workspace.folder('notes');
      const { itemId: inFolder } = await workspace.store({ folderId });
      const { itemId: outside } = await workspace.store({ inKb: false });
      const { itemId: clip } = await workspace.store({ kind: 'clip' });
      expect(idsOf((await list({ folderId })).items)).toEqual([inFolder]);
      expect(idsOf((await list({ inKb: false })).items)).toEqual([outside]);
      expect(idsOf((await list({ kind: 'clip' })).items)).toEqual([clip]);
    });
  });

  describe('items.search and chunks.search', () => {
    const chunksFor = async (query: string, explain = false) =>
      (await workspace.admin.query('chunks.search', { query, limit: 20, mode: 'keyword', explain })).hits;

    it('finds an entry by its words, right after it is stored', async () => {
      const { itemId, chunkIds } = await workspace.store({ tags: ['coast'] });
      await workspace.store({ title: 'Bakery', text: 'Bread is baked at four.' });
      expect(await search(workspace.admin, 'wick')).toMatchObject([
        {
          itemId,
          title: 'Lighthouse',
          tags: ['coast'],
          confidence: 80,
          createdByAgentId: 'alice',
          supersededById: null,
        },
      ]);
      expect(await chunksFor('wick')).toMatchObject([
        { itemId, chunkId: chunkIds[0], title: 'Lighthouse', text: 'The keeper trims the wick.' },
      ]);
      expect(await chunksFor('submarine')).toEqual([]);
    });

    it('returns only entries that have every tag', async () => {
      const { itemId } = await workspace.store({ tags: ['coast', 'night'] });
      await workspace.store({ tags: ['coast'] });
      expect(itemIdsOf(await search(workspace.admin, 'wick', { tags: ['coast', 'night'] }))).toEqual([itemId]);
    });

    it('hides an expired entry, unless expired entries are requested', async () => {
      const { itemId } = await workspace.store({ expiresAt: new Date(Date.now() + 1_000).toISOString() });
      await eventually(
        () => search(workspace.admin, 'wick'),
        (hits) => hits.length === 0,
      );
      expect(itemIdsOf(await search(workspace.admin, 'wick', { includeExpired: true }))).toEqual([itemId]);
    });

    it('explains a score by legs whose contributions add up to it', async () => {
      await workspace.store();
      const [hit] = await chunksFor('wick', true);
      const sum = hit!.explain!.legs.reduce((total, { contribution }) => total + contribution, 0);
      expect(sum).toBeCloseTo(hit!.score);
      expect((await chunksFor('wick'))[0]).not.toHaveProperty('explain');
    });
  });

  describe('chunks.recall', () => {
    const recall = (more: object = {}, port = workspace.admin) =>
      port.query('chunks.recall', {
        query: 'The keeper trims the wick.',
        topK: 8,
        minScore: 0.3,
        explain: false,
        ...more,
      });

    it('finds a text by its meaning, with its folder and source', async () => {
      const { itemId, chunkIds } = await workspace.store();
      const { results } = await eventually(recall, (answer) => answer.results.length > 0);
      expect(results).toMatchObject([
        { itemId, chunkId: chunkIds[0], graph: 'inbox', text: 'The keeper trims the wick.', sourceName: 'Lighthouse' },
      ]);
    });

    it('reports unknown graphs, and lists the known ones', async () => {
      const { unknownGraphs } = await recall({ graphs: ['inbox', 'nowhere'] });
      expect(unknownGraphs).toMatchObject({ names: ['nowhere'], available: [{ slug: 'inbox' }] });
      expect(await recall({ graphs: ['Inbox'] })).not.toHaveProperty('unknownGraphs');
    });
  });

  describe('item.update', () => {
    const update = (itemId: string, change: object) => workspace.admin.command('item.update', { itemId, ...change });

    it('changes title, tags and folder, and search follows at once', async () => {
      const { itemId } = await workspace.store({ tags: ['coast'] });
      const folderId = await workspace.folder('notes');
      await update(itemId, { title: 'Beacon', tags: ['night'], folderId });
      expect(await get(itemId)).toMatchObject({ title: 'Beacon', tags: ['night'], folderId });
      expect(await search(workspace.admin, 'lighthouse')).toEqual([]);
      expect(await search(workspace.admin, 'beacon')).toMatchObject([{ itemId, folderId }]);
    });

    it('takes an item out of the knowledge base and puts it back', async () => {
      const { itemId } = await workspace.store();
      await update(itemId, { inKb: false });
      expect(await search(workspace.admin, 'wick')).toEqual([]);
      await update(itemId, { inKb: true });
      expect(itemIdsOf(await search(workspace.admin, 'wick'))).toEqual([itemId]);
    });

    it('rejects an unknown item and an unknown folder', async () => {
      const { itemId } = await workspace.store();
      expect(await errorOf(update(uuidV7(), { title: 'x' }))).toMatchObject({ code: 'item.not_found' });
      expect(await errorOf(update(itemId, { folderId: uuidV7() }))).toMatchObject({ code: 'folder.not_found' });
    });
  });

  describe('item.supersede', () => {
    const supersede = (oldId: string, newId: string, port = workspace.admin) =>
      port.command('item.supersede', { oldId, newId });

    it('hides the old entry from search, which shows it on request with its newest replacement', async () => {
      const [a, b, c] = [await workspace.store(), await workspace.store(), await workspace.store()];
      await supersede(a.itemId, b.itemId);
      expect(await supersede(b.itemId, c.itemId)).toMatchObject({ supersededById: c.itemId });
      expect(itemIdsOf(await search(workspace.admin, 'wick'))).toEqual([c.itemId]);
      const all = await search(workspace.admin, 'wick', { includeSuperseded: true });
      expect(Object.fromEntries(all.map(({ itemId, supersededById }) => [itemId, supersededById]))).toEqual({
        [a.itemId]: c.itemId,
        [b.itemId]: c.itemId,
        [c.itemId]: null,
      });
      expect(await get(a.itemId)).toMatchObject({ superseded: true, supersededById: c.itemId });
    });

    it('rejects a cycle, an unknown entry, and an agent that owns neither', async () => {
      const [a, b] = [await workspace.store(), await workspace.store()];
      await supersede(a.itemId, b.itemId);
      expect(await errorOf(supersede(b.itemId, a.itemId))).toMatchObject({ code: 'knowledge.cycle' });
      expect(await errorOf(supersede(a.itemId, a.itemId))).toMatchObject({ code: 'knowledge.cycle' });
      expect(await errorOf(supersede(a.itemId, uuidV7()))).toMatchObject({ code: 'item.not_found' });
      const bob = workspace.as({ agentId: 'bob' });
      expect(await errorOf(supersede(a.itemId, b.itemId, bob))).toMatchObject({ code: 'knowledge.not_owner' });
    });

    it('makes the old entry current again when its replacement is forgotten', async () => {
      const [a, b] = [await workspace.store(), await workspace.store()];
      await supersede(a.itemId, b.itemId);
      await workspace.admin.command('item.forget', { itemId: b.itemId, surface: 'mcp' });
      expect(itemIdsOf(await search(workspace.admin, 'wick'))).toEqual([a.itemId]);
    });
  });
};
