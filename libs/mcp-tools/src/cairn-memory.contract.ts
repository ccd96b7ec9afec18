import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CommandData } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import { errorOf, search, TestWorkspace, type OpenCairn } from './cairn-workspace.builder.js';

const PARAGRAPHS = ['Lamps', 'Tides', 'Boats'].map((word) => `${word} are checked. `.repeat(80)).join('\n\n');

export const describeMemory = (open: OpenCairn): void => {
  let workspace: TestWorkspace;
  const get = (itemId: string) => workspace.admin.query('item.get', { itemId, surface: 'rest' });

  beforeEach(async () => {
    workspace = await TestWorkspace.create(open);
  });

  describe('item.remember', () => {
    const remember = (more: Partial<CommandData<'item.remember'>> = {}, port = workspace.admin) =>
      port.command('item.remember', { text: 'The bell rings twice.', kind: 'clip', ...more });

    it('stores a memory in the default folder, by slug, and by a name in another spelling', async () => {
      await workspace.folder('night-watch', { name: 'Night watch' });
      expect(await remember()).toMatchObject({ outcome: 'stored', folder: 'inbox', chunkCount: 1 });
      expect(await remember({ slug: 'night-watch' })).toMatchObject({ outcome: 'stored', folder: 'night-watch' });
      expect(await remember({ name: 'Night Watch' })).toMatchObject({ outcome: 'stored', folder: 'night-watch' });
      expect(await search(workspace.admin, 'bell')).toHaveLength(3);
    });

    it('gives a conversation less confidence than a clip', async () => {
      const of = async (kind: 'clip' | 'ai-conversation') => {
        const stored = await remember({ kind });
        return stored.outcome === 'stored' ? (await get(stored.itemId)).confidence : undefined;
      };
      expect([await of('clip'), await of('ai-conversation')]).toEqual([80, 50]);
    });

    it('rejects an unknown slug', async () => {
      expect(await errorOf(remember({ slug: 'nowhere' }))).toMatchObject({ code: 'engram.not_found' });
    });

    it('rejects a sensitive folder', async () => {
      await workspace.folder('vault', { tier: 'sensitive' });
      expect(await errorOf(remember({ slug: 'vault' }))).toMatchObject({ code: 'engram.sensitive' });
      expect(await errorOf(remember({ name: 'vault' }))).toMatchObject({ code: 'engram.sensitive' });
    });

    it('asks once about a name that no folder has exactly, and offers similar folders', async () => {
      await workspace.folder('recipes', { name: 'Recipes' });
      const waiting = await remember({ name: 'Recipe', label: 'Bells' });
      expect(waiting).toMatchObject({ outcome: 'waiting', reason: 'close', candidates: [{ slug: 'recipes' }] });
      expect(await remember({ name: 'Recipe' })).toMatchObject({
        confirmationId: waiting.outcome === 'waiting' && waiting.confirmationId,
      });
      expect(await remember({ name: 'Zzz' })).toMatchObject({ outcome: 'waiting', reason: 'none', candidates: [] });
      const { items } = await workspace.admin.query('confirmations.list', { limit: 50 });
      expect(items.map(({ suggestedName }) => suggestedName)).toEqual(['Zzz', 'Recipe']);
      expect(items[1]).toMatchObject({ label: 'Bells', preview: 'The bell rings twice.', agentId: 'alice' });
    });
  });

  describe('confirmation.resolve', () => {
    let confirmationId: string;
    const resolve = (command: Partial<CommandData<'confirmation.resolve'>>) =>
      workspace.admin.command('confirmation.resolve', { confirmationId, action: 'use', ...command });
    const listed = async (status: 'pending' | 'discarded') =>
      (await workspace.admin.query('confirmations.list', { limit: 50, status })).items.map(({ id }) => id);

    beforeEach(async () => {
      const memory = { text: 'The bell rings twice.', kind: 'clip' as const, name: 'Bells' };
      const answer = await workspace.admin.command('item.remember', memory);
      confirmationId = answer.outcome === 'waiting' ? answer.confirmationId : '';
    });

    it('stores the text in the chosen folder', async () => {
      const { itemId, folderId } = await resolve({ action: 'use', folderId: workspace.inboxId });
      expect(folderId).toBe(workspace.inboxId);
      expect(await get(itemId!)).toMatchObject({ content: 'The bell rings twice.', folderId: workspace.inboxId });
      expect(await listed('pending')).toEqual([]);
    });

    it('stores the text in a new folder under the suggested name', async () => {
      const { itemId, folderId } = await resolve({ action: 'create' });
      expect(await get(itemId!)).toMatchObject({ folderId });
      const folder = await workspace.admin.query('folder.get', { folderId: folderId!, surface: 'rest' });
      expect(folder).toMatchObject({ name: 'Bells', slug: 'bells' });
    });

    it('discards the text, which can be restored', async () => {
      await resolve({ action: 'dismiss' });
      expect([await listed('pending'), await listed('discarded')]).toEqual([[], [confirmationId]]);
      await resolve({ action: 'restore' });
      expect([await listed('pending'), await listed('discarded')]).toEqual([[confirmationId], []]);
    });

    it('rejects a second decision and an unknown confirmation', async () => {
      await resolve({ action: 'create' });
      expect(await errorOf(resolve({ action: 'create' }))).toMatchObject({ code: 'confirmation.closed' });
      const unknown = resolve({ action: 'dismiss', confirmationId: uuidV7() });
      expect(await errorOf(unknown)).toMatchObject({ code: 'confirmation.not_found' });
    });
  });

  describe('chunk.propose and chunk.correct', () => {
    const newText = 'The keeper trims the lamp.';
    const propose = (chunkId: string, port = workspace.admin) =>
      port.command('chunk.propose', { chunkId, instruction: 'it is a lamp', newText });
    const apply = (correctionId: string, port = workspace.admin) => port.command('chunk.correct', { correctionId });

    it('change nothing until applied, and then the text for reading and searching', async () => {
      const { itemId, chunkIds } = await workspace.store();
      const proposal = await propose(chunkIds[0]!);
      expect(proposal).toMatchObject({ originalText: 'The keeper trims the wick.', proposedText: newText });
      expect((await get(itemId)).content).toBe('The keeper trims the wick.');
      expect(await apply(proposal.correctionId)).toMatchObject({ chunkId: chunkIds[0], opId: expect.any(String) });
      expect((await get(itemId)).content).toBe(newText);
      expect(await search(workspace.admin, 'wick')).toEqual([]);
      expect(await search(workspace.admin, 'lamp')).toHaveLength(1);
    });

    it('apply a correction once: a repeat returns the first result', async () => {
      const port = workspace.as({});
      const { chunkIds } = await workspace.store();
      const { correctionId } = await propose(chunkIds[0]!, port);
      const { opId, position } = await apply(correctionId, port);
      expect(await apply(correctionId, port)).toMatchObject({ opId, position });
    });

    it('reject a correction of a text that has changed since', async () => {
      const { chunkIds } = await workspace.store();
      const [first, second] = [await propose(chunkIds[0]!), await propose(chunkIds[0]!)];
      await apply(first.correctionId);
      expect(await errorOf(apply(second.correctionId))).toMatchObject({ code: 'correction.stale' });
    });

    it('reject an unknown chunk, an unknown correction, and that of another agent', async () => {
      const { chunkIds } = await workspace.store();
      const { correctionId } = await propose(chunkIds[0]!);
      const bob = workspace.as({ agentId: 'bob' });
      expect(await errorOf(propose(uuidV7()))).toMatchObject({ code: 'chunk.not_found' });
      expect(await errorOf(apply(uuidV7()))).toMatchObject({ code: 'correction.not_found' });
      expect(await errorOf(apply(correctionId, bob))).toMatchObject({ code: 'correction.not_found' });
    });
  });

  describe('item.forget and chunk.forget', () => {
    const forgetItem = (itemId: string) => workspace.admin.command('item.forget', { itemId, surface: 'mcp' });
    const forgetChunk = (chunkId: string, more: object = {}) =>
      workspace.admin.command('chunk.forget', { chunkId, surface: 'mcp', ...more });

    it('remove an item from every read', async () => {
      const { itemId } = await workspace.store();
      expect(await forgetItem(itemId)).toMatchObject({ deleted: true, chunksRemoved: 1, sourceRemoved: true });
      expect(await errorOf(get(itemId))).toMatchObject({ code: 'item.not_found' });
      expect(await search(workspace.admin, 'wick')).toEqual([]);
      expect((await workspace.admin.query('items.list', { limit: 50, surface: 'rest' })).items).toEqual([]);
    });

    it('remove one chunk and keep the rest, and with the last chunk the item', async () => {
      const { itemId, chunkIds } = await workspace.store({ text: PARAGRAPHS });
      const [first, ...rest] = chunkIds;
      expect(rest).not.toEqual([]);
      expect(await forgetChunk(first!)).toMatchObject({ chunksRemoved: 1, sourceRemoved: false });
      expect((await get(itemId)).chunks.map(({ id }) => id)).toEqual(rest);
      for (const chunkId of rest.slice(1)) await forgetChunk(chunkId);
      expect(await forgetChunk(rest[0]!)).toMatchObject({ sourceRemoved: true });
      expect(await errorOf(get(itemId))).toMatchObject({ code: 'item.not_found' });
    });

    it('reject an id that does not exist, and a chunk under another item', async () => {
      const [one, other] = [await workspace.store(), await workspace.store()];
      expect(await errorOf(forgetItem(uuidV7()))).toMatchObject({ code: 'item.not_found' });
      expect(await errorOf(forgetChunk(uuidV7()))).toMatchObject({ code: 'chunk.not_found' });
      const mismatch = forgetChunk(one.chunkIds[0]!, { itemId: other.itemId });
      expect(await errorOf(mismatch)).toMatchObject({ code: 'chunk.not_found' });
    });
  });
};
