import { beforeEach, describe, expect, it } from '@jest/globals';
import { LINK_TYPES, type LinkType, type QueryData } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import type { CairnPort } from './cairn.port.js';
import { errorOf, eventually, TestWorkspace, type OpenCairn } from './cairn-workspace.builder.js';

const ALL_BUT_SUPERSEDES = LINK_TYPES.filter((type) => type !== 'supersedes');

export const describeWalk = (open: OpenCairn): void => {
  let workspace: TestWorkspace;
  let ids: string[];

  /** a – b – c – d, and e alone. */
  beforeEach(async () => {
    workspace = await TestWorkspace.create(open);
    ids = [];
    for (const title of ['A', 'B', 'C', 'D', 'E']) ids.push((await workspace.store({ title })).itemId);
    await link(0, 1, 'supports', 0.5);
    await link(2, 1, 'causes', 0.8);
    await link(2, 3, 'related', 1);
  });

  const link = (from: number, to: number, type: LinkType = 'related', confidence = 1) =>
    workspace.admin.command('link.add', {
      links: [{ fromItemId: ids[from]!, toItemId: ids[to]!, type, confidence }],
      surface: 'rest',
    });

  const walk = (anchor: string[], more: Partial<QueryData<'links.walk'>> = {}, port: CairnPort = workspace.admin) =>
    port.query('links.walk', {
      anchor,
      mode: 'pagerank',
      depth: 3,
      linkTypes: ALL_BUT_SUPERSEDES,
      minConfidence: 0,
      limit: 10,
      ...more,
    });
  const titles = async (...args: Parameters<typeof walk>) => (await walk(...args)).memories.map(({ title }) => title);

  describe('links.walk', () => {
    it('ranks the linked memories, regardless of direction, and shows how each was reached', async () => {
      const { memories, trace, stale } = await walk([ids[0]!]);
      expect(memories.map(({ title, hop }) => [title, hop])).toEqual([
        ['B', 1],
        ['C', 2],
        ['A', 0],
        ['D', 3],
      ]);
      expect(memories.map(({ via }) => via)).toEqual([
        [{ from: ids[0], type: 'supports', confidence: 0.5 }],
        [{ from: ids[1], type: 'causes', confidence: 0.8 }],
        [],
        [{ from: ids[2], type: 'related', confidence: 1 }],
      ]);
      expect(memories.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(1, 9);
      expect(memories[0]).toMatchObject({ itemId: ids[1], superseded: false, sourcePurged: false });
      expect(trace).toMatchObject({ mode: 'pagerank', converged: true, nodes: 4, links: 3 });
      expect([trace.iter > 1, stale]).toEqual([true, false]);
    });

    it('goes to the given depth, over links of the requested types with enough confidence', async () => {
      expect(await titles([ids[0]!], { depth: 1 })).toEqual(['A', 'B']);
      expect((await walk([ids[0]!], { depth: 2 })).trace).toMatchObject({ nodes: 3, links: 2 });
      expect(await titles([ids[0]!], { linkTypes: ['supports', 'related'] })).toEqual(['A', 'B']);
      expect(await titles([ids[1]!], { minConfidence: 0.8, depth: 1 })).toEqual(['B', 'C']);
      expect(await titles([ids[1]!], { minConfidence: 0.81, depth: 1 })).toEqual(['B']);
      expect(await titles([ids[0]!], { limit: 2 })).toEqual(['B', 'C']);
    });

    it('finds the shortest path, and none if there is none', async () => {
      const path = await walk([ids[0]!, ids[3]!], { mode: 'shortest_path' });
      expect(path.memories.map(({ title, hop, via }) => [title, hop, via[0]?.from])).toEqual([
        ['A', 0, undefined],
        ['B', 1, ids[0]],
        ['C', 2, ids[1]],
        ['D', 3, ids[2]],
      ]);
      expect(path.memories.at(-1)!.score).toBeCloseTo(0.4);
      expect((await walk([ids[0]!, ids[4]!], { mode: 'shortest_path' })).memories).toEqual([]);
    });

    it('lists the neighbours nearest first', async () => {
      const { memories, trace } = await walk([ids[1]!], { mode: 'neighbours' });
      expect(memories.map(({ title, score }) => [title, score])).toEqual([
        ['B', 1],
        ['C', 0.8],
        ['A', 0.5],
        ['D', 0.8],
      ]);
      expect(trace).toMatchObject({ mode: 'neighbours', iter: 0, converged: true });
    });

    it('answers an anchor without links with the anchor itself', async () => {
      const { memories, trace } = await walk([ids[4]!]);
      expect(memories).toMatchObject([{ title: 'E', score: 1, hop: 0, via: [] }]);
      expect(trace).toMatchObject({ nodes: 1, links: 0 });
    });

    it('leaves out memories outside the knowledge base, and an anchor there leads nowhere', async () => {
      await workspace.admin.command('item.update', { itemId: ids[1]!, inKb: false });
      expect(await titles([ids[0]!])).toEqual(['A']);
      expect(await titles([ids[1]!])).toEqual(['B']);
    });

    it('walks replaced memories only with supersedes', async () => {
      await workspace.admin.command('item.supersede', { oldId: ids[1]!, newId: ids[4]! });
      expect(await titles([ids[0]!])).toEqual(['A']);
      expect(await titles([ids[4]!])).toEqual(['E']);
      const { memories } = await walk([ids[4]!], { linkTypes: [...LINK_TYPES], depth: 2 });
      expect(memories.map(({ title }) => title).sort()).toEqual(['A', 'B', 'C', 'E']);
      const replaced = memories.find(({ title }) => title === 'B');
      expect(replaced).toMatchObject({ superseded: true, via: [{ from: ids[4], type: 'supersedes', confidence: 1 }] });
      expect(await titles([ids[4]!], { linkTypes: ['supersedes'] })).toEqual(['E', 'B']);
    });

    it('walks the links of texts', async () => {
      const { itemId } = await workspace.store({ title: 'F', text: `See carabase://artifact/${ids[4]!}.` });
      const { memories } = await eventually(
        () => walk([ids[4]!]),
        (answer) => answer.memories.length > 1,
      );
      expect(memories.map((memory) => memory.itemId).sort()).toEqual([ids[4]!, itemId].sort());
      expect((await walk([ids[4]!], { linkTypes: ['related'] })).memories).toHaveLength(1);
    });

    it('reports that a source of a memory is gone, if the caller may see its sources', async () => {
      const source = await workspace.store({ title: 'Source' });
      const links = [{ fromItemId: ids[4]!, toItemId: source.itemId, type: 'derived_from' as const, confidence: 1 }];
      await workspace.admin.command('link.add', { links, surface: 'rest' });
      const purged = async () =>
        (await walk([ids[4]!])).memories.map(({ title, sourcePurged }) => [title, sourcePurged]);
      expect(new Set(await purged())).toEqual(
        new Set([
          ['E', false],
          ['Source', false],
        ]),
      );
      await workspace.admin.command('item.forget', { itemId: source.itemId, surface: 'rest' });
      expect(await purged()).toEqual([['E', true]]);
      await link(4, 0, 'derived_from');
      expect((await purged()).find(([title]) => title === 'E')).toEqual(['E', false]);
    });

    it('does not show that a source of another folder was forgotten', async () => {
      const folderId = await workspace.folder('notes');
      const reader = workspace.scopedTo([folderId], { scopes: ['graph:read'] });
      const { itemId } = await workspace.store({ title: 'X', folderId });
      const links = [{ fromItemId: itemId, toItemId: ids[0]!, type: 'derived_from' as const, confidence: 1 }];
      await workspace.admin.command('link.add', { links, surface: 'rest' });
      const before = await walk([itemId], {}, reader);
      await workspace.admin.command('item.forget', { itemId: ids[0]!, surface: 'rest' });
      expect(await walk([itemId], {}, reader)).toEqual(before);
      expect((await walk([itemId])).memories).toMatchObject([{ sourcePurged: true }]);
    });

    it('does not show a caller that keeps to the knowledge base that a source outside it was forgotten', async () => {
      const reader = workspace.scopedTo([workspace.inboxId], { scopes: ['graph:read'], kbOnly: true });
      const outside = await workspace.store({ title: 'Outside', inKb: false });
      ids.push(outside.itemId);
      await link(4, 5, 'derived_from');
      const before = await walk([ids[4]!], {}, reader);
      await workspace.admin.command('item.forget', { itemId: outside.itemId, surface: 'rest' });
      expect(await walk([ids[4]!], {}, reader)).toEqual(before);
      expect((await walk([ids[4]!])).memories).toMatchObject([{ sourcePurged: true }]);
      await link(4, 0, 'derived_from');
      await workspace.admin.command('item.forget', { itemId: ids[0]!, surface: 'rest' });
      expect((await walk([ids[4]!], {}, reader)).memories).toMatchObject([{ sourcePurged: true }]);
    });

    it('sees nothing of other folders: neither ways through them, nor their share of the rank', async () => {
      const folderId = await workspace.folder('notes');
      const reader = workspace.scopedTo([folderId], { scopes: ['graph:read'] });
      const [x, y] = [await workspace.store({ title: 'X', folderId }), await workspace.store({ title: 'Y', folderId })];
      ids.push(x.itemId, y.itemId);
      await link(5, 6);
      const alone = await walk([x.itemId], {}, reader);
      await link(5, 0);
      await link(0, 6);
      expect(await walk([x.itemId], {}, reader)).toEqual(alone);
      expect(await titles([x.itemId], { depth: 1 })).toHaveLength(3);
    });

    it('does not find an anchor that the caller may not see, and gives its place in the request', async () => {
      const folderId = await workspace.folder('notes');
      const { itemId } = await workspace.store({ folderId });
      const reader = workspace.scopedTo([folderId], { scopes: ['graph:read'] });
      const hidden = await errorOf(walk([itemId, ids[0]!], {}, reader));
      expect(hidden).toEqual({ code: 'memory.not_found', details: { field: 'anchor[1]' } });
      expect(await errorOf(walk([itemId, uuidV7()], {}, reader))).toEqual(hidden);
    });

    it('reveals nothing of a sensitive folder', async () => {
      const folderId = await workspace.folder('vault', { tier: 'sensitive' });
      const { itemId } = await workspace.store({ folderId });
      ids.push(itemId);
      await link(0, 5);
      expect((await walk([ids[0]!], { depth: 1 })).memories).toHaveLength(2);
      expect(await errorOf(walk([itemId]))).toMatchObject({ code: 'memory.not_found' });
    });
  });
};
