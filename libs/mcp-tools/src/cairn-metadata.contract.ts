import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CommandData } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import { errorOf, eventually, TestWorkspace, type OpenCairn } from './cairn-workspace.builder.js';

const LONG = ['Lamps', 'Tides', 'Boats'].map((word) => `${word} are checked. `.repeat(80)).join('\n\n');

export const describeMetadata = (open: OpenCairn): void => {
  let workspace: TestWorkspace;

  beforeEach(async () => {
    workspace = await TestWorkspace.create(open);
  });

  describe('item.commit', () => {
    const commit = (more: Partial<CommandData<'item.commit'>> = {}, port = workspace.admin) =>
      port.command('item.commit', { folderName: 'Night Watch', text: 'The bell rings twice.', ...more });

    it('stores a text as one item in the folder of that name, also in another spelling', async () => {
      const folderId = await workspace.folder('night-watch', { name: 'Night watch' });
      for (const folderName of ['Night Watch', 'night-watch', 'NIGHTWATCH']) {
        const { itemId, ...made } = await commit({ folderName, text: LONG });
        expect(made).toMatchObject({ folderId, folderName: 'Night watch' });
        const item = await workspace.admin.query('item.get', { itemId, surface: 'rest' });
        expect(item).toMatchObject({ kind: 'commit', folderId, source: { kind: 'agent' }, content: LONG });
        expect(item.chunks).toHaveLength(made.chunkCount);
        expect(made.chunkCount).toBeGreaterThan(1);
      }
    });

    it('keeps its attached metadata', async () => {
      await workspace.folder('night-watch', { name: 'Night watch' });
      const extra = { sources: ['https://example.org/a', { title: 'Log' }], mood: { calm: true } };
      const { itemId } = await commit({ extra });
      expect(await workspace.admin.query('item.get', { itemId, surface: 'rest' })).toMatchObject({ extra });
    });

    it('rejects a name that no folder has, and stores nothing', async () => {
      await workspace.folder('recipes', { name: 'Recipes' });
      const close = await errorOf(commit({ folderName: 'Recipe' }));
      expect(close).toMatchObject({ code: 'engram.close_matches', details: { candidates: [{ name: 'Recipes' }] } });
      const none = await errorOf(commit({ folderName: 'Zzz' }));
      expect(none).toMatchObject({ code: 'engram.not_found', details: { field: 'folderName' } });
      expect((await workspace.admin.query('confirmations.list', { limit: 50 })).items).toEqual([]);
      expect((await workspace.admin.query('items.list', { limit: 50, surface: 'rest' })).items).toEqual([]);
    });

    it('treats a sensitive folder and one out of scope like one that does not exist', async () => {
      await workspace.folder('vault', { name: 'Vault', tier: 'sensitive' });
      const other = await workspace.folder('other', { name: 'Other' });
      const scoped = workspace.scopedTo([other]);
      await workspace.folder('hidden', { name: 'Hidden' });
      for (const [folderName, port] of [
        ['Vault', workspace.admin],
        ['Hidden', scoped],
      ] as const) {
        const { code, details } = await errorOf(commit({ folderName }, port));
        const unknown = await errorOf(commit({ folderName: 'Qqqqqq' }, port));
        expect(code).toBe('engram.not_found');
        expect({ ...details, suggestedName: '' }).toEqual({ ...unknown.details, suggestedName: '' });
      }
    });
  });

  describe('chunks.semantic', () => {
    const semantic = (query: string, more = {}, port = workspace.admin) =>
      port.query('chunks.semantic', { query, limit: 50, minSimilarity: 0, ...more });

    it('answers with provenance, best first, limited to what the caller may see', async () => {
      const folderId = await workspace.folder('night-watch', { name: 'Night watch' });
      const source = { kind: 'url' as const, name: 'Almanac', uri: 'https://example.org/almanac' };
      const { itemId } = await workspace.store({ folderId, source, text: 'The keeper trims the wick.' });
      await workspace.store({ text: 'The keeper sleeps.' });
      const { hits, best, model } = await eventually(
        () => semantic('keeper wick'),
        (found) => found.hits.length === 2,
      );
      expect(hits.map(({ similarity }) => similarity)).toEqual(
        [...hits.map((hit) => hit.similarity)].sort((a, b) => b - a),
      );
      expect(best).toBe(hits[0]!.similarity);
      expect(model).toMatch(/\w/);
      const own = hits.find((hit) => hit.itemId === itemId)!;
      expect(own.provenance).toMatchObject({ source, folderName: 'Night watch', agentId: 'alice' });
      expect(own.provenance.position).toBeGreaterThan(0);
      const scoped = await semantic('keeper wick', {}, workspace.scopedTo([folderId]));
      expect(scoped.hits.map((hit) => hit.itemId)).toEqual([itemId]);
      expect((await semantic('keeper wick', { limit: 1 })).hits).toHaveLength(1);
      expect((await semantic('keeper wick', {}, workspace.scopedTo([]))).best).toBeNull();
    });

    it("gives the address of a hit's text if it is stored elsewhere", async () => {
      const { accountId } = await workspace.admin.command('account.connect', {
        accountId: uuidV7(),
        connectorId: 'folder',
        label: 'Files',
        retention: 'hollow',
        hydrate: true,
        confirm: 'never',
        batchTokensMax: 4_000,
        settings: {},
        multiAccount: true,
      });
      const document = { ref: 'manual.md', version: '1', title: 'Manual', text: 'The keeper trims the wick.' };
      const held = { accountId, retention: 'hollow' as const, kind: 'file' as const };
      const { itemId } = await workspace.admin.command('item.sync', { ...held, ...document });
      const full = await workspace.store({ text: 'The keeper trims the wick daily.' });
      const { hits } = await eventually(
        () => semantic('keeper wick'),
        (found) => found.hits.length === 2,
      );
      const uris = Object.fromEntries(hits.map((hit) => [hit.itemId, hit.meshUri]));
      expect(uris).toEqual({ [itemId]: `mesh://folder/${accountId}/${itemId}`, [full.itemId]: null });
    });

    it('leaves out hits below the minimum similarity, and reports the best', async () => {
      await workspace.store({ text: 'The keeper trims the wick.' });
      await eventually(
        () => semantic('keeper'),
        (found) => found.hits.length === 1,
      );
      const { hits, best } = await semantic('keeper of a quiet harbour town', { minSimilarity: 1 });
      expect(hits).toEqual([]);
      expect(best).toBeGreaterThan(0);
    });
  });

  describe('items.query', () => {
    const query = (filter: object, port = workspace.admin) => port.query('items.query', { limit: 100, ...filter });
    const ids = async (filter: object, port = workspace.admin) => (await query(filter, port)).items.map(({ id }) => id);

    it('finds items by folder, time, tags, kind and source, newest first', async () => {
      const folderId = await workspace.folder('night-watch', { name: 'Night watch' });
      const one = await workspace.store({ folderId, tags: ['red', 'big'], source: { kind: 'file', name: 'Log.csv' } });
      const two = await workspace.store({ folderId, tags: ['red'], kind: 'clip' });
      const three = await workspace.store({ inKb: false, tags: ['red', 'big'] });
      const all = [three.itemId, two.itemId, one.itemId];
      expect(await ids({ folderId })).toEqual([two.itemId, one.itemId]);
      expect(await ids({ tags: ['red'] })).toEqual(all);
      expect(await ids({ tags: ['red', 'big'] })).toEqual([three.itemId, one.itemId]);
      expect(await ids({ kind: 'clip' })).toEqual([two.itemId]);
      expect(await ids({ source: 'file' })).toEqual([one.itemId]);
      expect(await ids({ source: 'log.CSV' })).toEqual([one.itemId]);
      expect(await ids({ from: '2020-01-01T00:00:00Z' })).toEqual(all);
      expect(await ids({ to: '2020-01-01T00:00:00Z' })).toEqual([]);
      const { createdAt } = (await query({ kind: 'clip' })).items[0]!;
      expect(await ids({ kind: 'clip', from: createdAt })).toEqual([two.itemId]);
      expect(await ids({ kind: 'clip', to: createdAt })).toEqual([]);
      expect(await query({ tags: ['red'], limit: 1 })).toMatchObject({ items: [{ id: three.itemId }], total: 3 });
    });

    it('counts each filter separately if nothing matches all of them', async () => {
      await workspace.store({ tags: ['red'] });
      await workspace.store({ kind: 'clip' });
      const { items, total, matched } = await query({ tags: ['red'], kind: 'clip', to: '2020-01-01T00:00:00Z' });
      expect({ items, total, matched }).toEqual({ items: [], total: 0, matched: { tags: 1, kind: 1, date: 0 } });
    });

    it('shows and counts nothing out of scope, and rejects a folder that the caller may not see', async () => {
      const folderId = await workspace.folder('hidden');
      const sensitiveId = await workspace.folder('vault', { tier: 'sensitive' });
      await workspace.store({ folderId, tags: ['red'] });
      await workspace.store({ folderId: sensitiveId, tags: ['red'] });
      const scoped = workspace.scopedTo([workspace.inboxId]);
      expect(await query({ tags: ['red'], kind: 'file' }, scoped)).toMatchObject({ matched: { tags: 0, kind: 0 } });
      expect(await ids({ tags: ['red'] })).toHaveLength(1);
      for (const id of [folderId, sensitiveId, uuidV7()])
        expect(await errorOf(query({ folderId: id }, scoped))).toMatchObject({
          code: 'folder.not_found',
          details: { field: 'folderId' },
        });
    });
  });
};
