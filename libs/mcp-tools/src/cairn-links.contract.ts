import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CommandData } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import type { CairnPort } from './cairn.port.js';
import { errorOf, eventually, TestWorkspace, type OpenCairn } from './cairn-workspace.builder.js';

const surface = 'rest';
type Link = CommandData<'link.add'>['links'][number];

export const describeLinks = (open: OpenCairn): void => {
  let workspace: TestWorkspace;
  let ids: readonly string[];

  beforeEach(async () => {
    workspace = await TestWorkspace.create(open);
    const stored = [await workspace.store(), await workspace.store(), await workspace.store()];
    ids = stored.map(({ itemId }) => itemId);
  });

  const link = (from: number, to: number, more: Partial<Link> = {}): Link => ({
    fromItemId: ids[from]!,
    toItemId: ids[to]!,
    type: 'supports',
    confidence: 0.75,
    ...more,
  });
  const add = (links: Link[], port: CairnPort = workspace.admin) => port.command('link.add', { links, surface });
  const list = async (itemId: string, port: CairnPort = workspace.admin, more: object = {}) =>
    port.query('links.list', { itemId, limit: 50, surface, ...more });

  describe('link.add', () => {
    it('links items in one direction, which both of them show', async () => {
      const { linkIds } = await add([link(0, 1)]);
      const shown = { id: linkIds[0], fromItemId: ids[0], toItemId: ids[1], type: 'supports', confidence: 0.75 };
      const source = { sourceKind: 'extracted' };
      expect((await list(ids[0]!)).items).toMatchObject([{ ...shown, ...source, direction: 'out' }]);
      expect((await list(ids[1]!)).items).toMatchObject([{ ...shown, ...source, direction: 'in' }]);
      expect((await list(ids[2]!)).items).toEqual([]);
    });

    it('returns the first id for the same pair and type, appends nothing and keeps the confidence', async () => {
      const first = await add([link(0, 1), link(1, 0), link(0, 1, { type: 'causes' })]);
      expect(new Set(first.linkIds).size).toBe(3);
      const again = await add([link(0, 1, { confidence: 0.1 })]);
      expect(again).toEqual({ linkIds: [first.linkIds[0]], position: first.position });
      const confidences = (await list(ids[0]!)).items.map(({ confidence }) => confidence);
      expect(confidences).toEqual([0.75, 0.75, 0.75]);
    });

    it('adds the new ones among several links, and a repeated one once', async () => {
      const first = await add([link(0, 1)]);
      const { linkIds } = await add([link(0, 1), link(0, 2), link(0, 2, { confidence: 1 })]);
      expect([linkIds[0], linkIds[2]]).toEqual([first.linkIds[0], linkIds[1]]);
      expect((await list(ids[2]!)).items).toMatchObject([{ confidence: 0.75 }]);
    });

    it.each([
      ['an item that is linked to itself', 0, 'related', 'link.to_itself', 'toItemId'],
      ['supersedes, which has a command of its own', 2, 'supersedes', 'link.use_supersede', 'type'],
    ] as const)('refuses %s, and adds none of the others', async (_, to, type, code, field) => {
      const links = [link(0, 1), link(0, to, { type })];
      expect(await errorOf(add(links))).toEqual({ code, details: { field: `links[1].${field}` } });
      expect((await list(ids[0]!)).items).toEqual([]);
    });

    it('marks links by an agent as inferred', async () => {
      await add([link(0, 1)], workspace.as({ scopes: ['graph:write'] }));
      expect((await list(ids[0]!)).items).toMatchObject([{ sourceKind: 'inferred' }]);
    });

    it.each([
      ['fromItemId', 0],
      ['toItemId', 1],
    ])('does not find a %s that the caller may not see, like one that does not exist', async (field, end) => {
      const folderId = await workspace.folder('notes');
      const reader = workspace.scopedTo([folderId], { scopes: ['graph:write'] });
      const { itemId: own } = await workspace.store({ folderId });
      const between = (hidden: string): Link => {
        const [fromItemId, toItemId] = end === 0 ? [hidden, own] : [own, hidden];
        return link(0, 1, { fromItemId, toItemId });
      };
      const error = await errorOf(add([between(ids[0]!)], reader));
      expect(error).toEqual({ code: 'item.not_found', details: { field: `links[0].${field}` } });
      expect(await errorOf(add([between(uuidV7())], reader))).toEqual(error);
    });
  });

  describe('link.remove', () => {
    const remove = (linkId: string, port = workspace.admin) => port.command('link.remove', { linkId, surface });

    it('removes one link, which can be added again under its id', async () => {
      const { linkIds } = await add([link(0, 1), link(0, 2)]);
      await remove(linkIds[0]!);
      expect((await list(ids[0]!)).items).toMatchObject([{ id: linkIds[1] }]);
      expect(await errorOf(remove(linkIds[0]!))).toEqual({ code: 'link.not_found', details: { field: 'id' } });
      expect((await add([link(0, 1, { confidence: 0.5 })])).linkIds).toEqual([linkIds[0]]);
      expect((await list(ids[1]!)).items).toMatchObject([{ confidence: 0.5 }]);
    });

    it('does not find a link whose other end the caller may not see', async () => {
      const folderId = await workspace.folder('notes');
      const { itemId } = await workspace.store({ folderId });
      const { linkIds } = await add([link(0, 1, { toItemId: itemId })]);
      const reader = workspace.scopedTo([folderId], { scopes: ['graph:write', 'graph:read'] });
      expect((await list(itemId, reader)).items).toEqual([]);
      expect(await errorOf(remove(linkIds[0]!, reader))).toEqual(await errorOf(remove(uuidV7(), reader)));
    });

    it('removes a link right after it is added', async () => {
      const added = add([link(0, 1)]);
      const { linkIds } = await add([link(0, 1)]);
      await Promise.all([added, remove(linkIds[0]!)]);
      expect((await list(ids[0]!)).items).toEqual([]);
    });
  });

  describe('links.list', () => {
    it('pages by id', async () => {
      const { linkIds } = await add([link(0, 1), link(0, 2), link(1, 0)]);
      const first = await list(ids[0]!, workspace.admin, { limit: 2 });
      const second = await list(ids[0]!, workspace.admin, { limit: 2, cursor: first.nextCursor });
      const shown = [...first.items, ...second.items].map(({ id }) => id);
      expect([shown, second.nextCursor]).toEqual([[...linkIds].sort(), null]);
    });

    it('includes the items that a text names, until the text is corrected', async () => {
      const text = `As carabase://artifact/${ids[0]!} says, and ${uuidV7()} does not.`;
      const { itemId, chunkIds } = await workspace.store({ text });
      const { items } = await eventually(
        () => list(itemId),
        (page) => page.items.length > 0,
      );
      const link = { fromItemId: itemId, toItemId: ids[0], type: 'references', confidence: 1, sourceKind: 'extracted' };
      expect(items).toMatchObject([{ ...link, direction: 'out' }]);
      expect((await list(ids[0]!)).items).toMatchObject([{ ...link, direction: 'in' }]);
      const change = { chunkId: chunkIds[0]!, instruction: 'no link', newText: 'Nothing.' };
      const { correctionId } = await workspace.admin.command('chunk.propose', change);
      await workspace.admin.command('chunk.correct', { correctionId });
      expect((await list(itemId)).items).toEqual([]);
    });

    it('shows a link that is both stated and in the text once, in its stated form', async () => {
      const { itemId } = await workspace.store({ text: `See ${ids[0]!}.` });
      await eventually(
        () => list(itemId),
        (page) => page.items.length > 0,
      );
      await add([link(0, 1, { fromItemId: itemId, toItemId: ids[0]!, type: 'references', confidence: 0.5 })]);
      expect((await list(itemId)).items).toMatchObject([{ confidence: 0.5 }]);
    });

    it('drops the links of an item with it', async () => {
      await add([link(0, 1), link(1, 2), link(2, 1, { type: 'derived_from' })]);
      await workspace.admin.command('item.forget', { itemId: ids[1]!, surface });
      expect((await list(ids[0]!)).items).toEqual([]);
      expect((await list(ids[2]!)).items).toEqual([]);
      expect(await errorOf(list(ids[1]!))).toEqual(await errorOf(list(uuidV7())));
    });
  });
};
