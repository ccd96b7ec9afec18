import { beforeEach, describe, expect, it } from '@jest/globals';
import { EDGE_SOURCE_KINDS, type CommandData, type GraphWalk, type NewEdge, type QueryData } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import type { CairnPort } from './cairn.port.js';
import { errorOf, eventually, TestWorkspace, type OpenCairn } from './cairn-workspace.builder.js';

/** In lower case, so that the product finds no names in it. */
const TEXT = 'the keeper trims the wick near the lamp, and the mate rows the boat.';

const edge = (subject: string, predicate: string, object: string, more: Partial<NewEdge> = {}): NewEdge => ({
  subject,
  predicate,
  object,
  ...more,
});

const inWords = ({ nodes, edges }: GraphWalk): string[] => {
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  return edges.map(({ from, predicate, to }) => `${names.get(from)} ${predicate} ${names.get(to)}`).sort();
};

export const describeGraph = (open: OpenCairn): void => {
  let workspace: TestWorkspace;

  beforeEach(async () => {
    workspace = await TestWorkspace.create(open);
  });

  const observe = (data: Partial<CommandData<'edge.observe'>>, port = workspace.admin) =>
    port.command('edge.observe', { edges: [edge('keeper', 'trims', 'wick')], surface: 'rest', ...data });
  const item = (more: object = {}) => workspace.store({ title: 'a note', text: TEXT, ...more });
  const walk = (entity: string, more: Partial<QueryData<'graph.walk'>> = {}, port: CairnPort = workspace.admin) =>
    port.query('graph.walk', {
      entity,
      depth: 1,
      minConfidence: 0.5,
      sourceKinds: [...EDGE_SOURCE_KINDS],
      surface: 'rest',
      ...more,
    });
  const find = async (text: string, more: Partial<QueryData<'entities.find'>> = {}, port = workspace.admin) =>
    (await port.query('entities.find', { text, limit: 8, surface: 'rest', ...more })).candidates;
  /** Waits, because the graph follows the log. */
  const found = (entity: string) =>
    eventually(
      () => walk(entity),
      (answer) => answer.entity !== null,
    );
  const vanished = (entity: string) =>
    eventually(
      () => walk(entity),
      (answer) => answer.entity === null,
    );

  describe('edge.observe', () => {
    it('states edges of a chunk, which can be walked in both directions with their evidence', async () => {
      const { itemId, chunkIds } = await item();
      const edges = [edge('keeper', 'trims', 'wick', { subjectType: 'person', objectType: 'tool', confidence: 0.9 })];
      const stated = await observe({ chunkId: chunkIds[0]!, edges });
      expect(stated).toMatchObject({ itemId, chunkId: chunkIds[0], edgeIds: [expect.any(String)] });
      await found('keeper');
      for (const start of ['keeper', 'WICK']) expect(inWords(await walk(start))).toEqual(['keeper trims wick']);
      const { entity, nodes, edges: walked, truncated, dropped } = await walk('keeper');
      expect(entity).toMatchObject({ name: 'keeper', type: 'person' });
      expect(nodes.map(({ name, type, hop }) => [name, type, hop])).toEqual([
        ['keeper', 'person', 0],
        ['wick', 'tool', 1],
      ]);
      expect(walked).toMatchObject([
        {
          confidence: 0.9,
          sourceKind: 'extracted',
          reviewed: null,
          hop: 1,
          evidence: [{ itemId, chunkId: chunkIds[0] }],
          evidenceCount: 1,
        },
      ]);
      expect([truncated, dropped]).toEqual([false, { confidence: 0, sourceKind: 0 }]);
    });

    it('counts a chunk once that states an edge several times, and shows what is stated in more chunks first', async () => {
      const [first, second] = [await item(), await item()];
      const rows = [edge('mate', 'rows', 'boat', { confidence: 0.8 })];
      const nears = [edge('mate', 'nears', 'lamp', { confidence: 0.8 })];
      for (let time = 0; time < 3; time++) await observe({ chunkId: first.chunkIds[0]!, edges: nears });
      for (const { chunkIds } of [first, second]) await observe({ chunkId: chunkIds[0]!, edges: rows });
      const { edges } = await eventually(
        () => walk('mate'),
        (answer) => answer.edges.some(({ evidenceCount }) => evidenceCount === 2),
      );
      expect(
        edges.map(({ predicate, evidenceCount, evidence }) => [predicate, evidenceCount, evidence.length]),
      ).toEqual([
        ['rows', 2, 2],
        ['nears', 1, 1],
      ]);
    });

    it('stores a text that states edges as an item', async () => {
      const { itemId, chunkId } = await observe({ text: TEXT });
      const stored = await workspace.admin.query('item.get', { itemId, surface: 'rest' });
      expect(stored).toMatchObject({ kind: 'clip', content: TEXT, inKb: true, chunks: [{ id: chunkId }] });
      expect(inWords(await found('keeper'))).toEqual(['keeper trims wick']);
    });

    it('requires an agent to use names that occur in the evidence, and a confidence below certainty', async () => {
      const { chunkIds } = await item();
      const [chunkId] = chunkIds;
      const agent = workspace.as({ scopes: ['graph:read', 'graph:write'] });
      const unknown = await errorOf(observe({ chunkId, edges: [edge('admiral', 'owns', 'boat')] }, agent));
      expect(unknown.code).toBe('edge.name_not_in_evidence');
      const certain = await errorOf(
        observe({ chunkId, edges: [edge('mate', 'rows', 'boat', { confidence: 1 })] }, agent),
      );
      expect(certain).toMatchObject({ code: 'input.invalid', details: { field: 'edges[0].confidence' } });
      await observe({ chunkId, edges: [edge('mate', 'rows', 'boat')] }, agent);
      const { edges } = await found('mate');
      expect(edges).toMatchObject([{ confidence: 0.8, sourceKind: 'inferred' }]);
    });

    it('rejects a chunk that the caller may not see, or that is outside the knowledge base', async () => {
      const hidden = await item({ folderId: await workspace.folder('hidden') });
      const outside = await item({ inKb: false });
      const agent = workspace.scopedTo([await workspace.folder('own')], { scopes: ['graph:write'] });
      for (const chunkId of [hidden.chunkIds[0] ?? uuidV7(), outside.chunkIds[0] ?? uuidV7(), uuidV7()])
        expect((await errorOf(observe({ chunkId }, agent))).code).toBe('chunk.not_found');
    });
  });

  describe('graph.walk', () => {
    beforeEach(async () => {
      const { chunkIds } = await item();
      const edges = [
        edge('keeper', 'trims', 'wick', { confidence: 0.7 }),
        edge('lamp', 'has', 'wick', { confidence: 0.6, sourceKind: 'inferred' }),
        edge('lamp', 'lights', 'boat', { confidence: 0.9, sourceKind: 'ambiguous' }),
        edge('mate', 'fears', 'keeper', { negated: true }),
      ];
      await observe({ chunkId: chunkIds[0]!, edges });
      await found('mate');
    });

    it('goes to the given depth, and gives each node its hop', async () => {
      expect(inWords(await walk('keeper'))).toEqual(['keeper trims wick']);
      const far = await walk('keeper', { depth: 3 });
      expect(far.nodes.map(({ name, hop }) => [name, hop])).toEqual([
        ['keeper', 0],
        ['wick', 1],
        ['lamp', 2],
        ['boat', 3],
      ]);
      expect(inWords(far)).toEqual(['keeper trims wick', 'lamp has wick', 'lamp lights boat']);
    });

    it('counts the edges that a filter leaves out, and does not walk negated edges', async () => {
      const confident = await walk('lamp', { minConfidence: 0.61 });
      expect([inWords(confident), confident.dropped]).toEqual([['lamp lights boat'], { confidence: 1, sourceKind: 0 }]);
      const inferred = await walk('lamp', { sourceKinds: ['inferred'] });
      expect([inWords(inferred), inferred.dropped]).toEqual([['lamp has wick'], { confidence: 0, sourceKind: 1 }]);
      expect((await walk('mate', { minConfidence: 0 })).edges).toEqual([]);
    });

    it('accepts the id of an entity, and answers an unknown name with similar ones', async () => {
      const { entity } = await walk('keeper');
      expect((await walk(entity!.id)).entity).toEqual(entity);
      const unknown = await walk('keper');
      expect(unknown).toMatchObject({ entity: null, nodes: [], edges: [] });
      expect(unknown.candidates!.map(({ name }) => name)).toEqual(['keeper']);
    });
  });

  describe('entities.find', () => {
    it('finds names by word, by prefix and when misspelt, the best match first', async () => {
      const { chunkIds } = await item();
      const edges = [edge('head keeper', 'knows', 'keeper'), edge('keeperless tower', 'near', 'lamp')];
      await observe({ chunkId: chunkIds[0]!, edges });
      await found('head keeper');
      const matches = async (text: string) => (await find(text)).map(({ name, match }) => [name, match]);
      expect(await matches('Keeper')).toEqual([
        ['keeper', 'exact'],
        ['head keeper', 'word'],
        ['keeperless tower', 'prefix'],
      ]);
      expect(await matches('towar')).toEqual([['keeperless tower', 'spelling']]);
      expect(await matches('keepar')).toEqual([
        ['head keeper', 'spelling'],
        ['keeper', 'spelling'],
      ]);
      expect(await matches('zzzz')).toEqual([]);
      expect(await find('Keeper', { limit: 1 })).toHaveLength(1);
    });

    it('describes each by its folders and its neighbours', async () => {
      const folderId = await workspace.folder('tower', { name: 'Tower' });
      const { itemId, chunkIds } = await item({ folderId });
      await observe({ chunkId: chunkIds[0]! });
      await found('keeper');
      expect(await find('keeper')).toMatchObject([
        { mentions: 1, folders: ['Tower'], neighbours: ['wick'], aliases: [], example: { itemId, snippet: TEXT } },
      ]);
    });
  });

  describe('item.mentions', () => {
    it('names the entities of an item, and none to a caller that may not see it', async () => {
      const { itemId, chunkIds } = await item();
      await observe({ chunkId: chunkIds[0]! });
      await found('keeper');
      const { mentions } = await workspace.admin.query('item.mentions', { itemId, surface: 'rest' });
      expect(mentions.map(({ name }) => name).sort()).toEqual(['keeper', 'wick']);
      const stranger = workspace.scopedTo([await workspace.folder('own')]);
      expect(await stranger.query('item.mentions', { itemId, surface: 'rest' })).toEqual({ mentions: [] });
    });
  });

  describe('the graph', () => {
    it('reveals nothing of other folders: neither names, nor counts, nor paths', async () => {
      const own = await workspace.folder('own');
      const reader = workspace.scopedTo([own], { scopes: ['graph:read'] });
      const mine = await item({ folderId: own });
      await observe({ chunkId: mine.chunkIds[0]! });
      await found('keeper');
      const before = [await walk('keeper', { depth: 3 }, reader), await find('keeper', {}, reader)];
      const theirs = await item();
      const edges = [edge('KEEPER', 'trims', 'wick'), edge('wick', 'near', 'lamp'), edge('keepers', 'are', 'many')];
      await observe({ chunkId: theirs.chunkIds[0]!, edges });
      await found('keepers');
      expect([await walk('keeper', { depth: 3 }, reader), await find('keeper', {}, reader)]).toEqual(before);
      expect((await walk('lamp', {}, reader)).entity).toBeNull();
    });

    it('drops findings of texts that are forgotten, replaced, or removed from the knowledge base', async () => {
      const gone: ((of: { readonly itemId: string; readonly chunkId: string }) => Promise<unknown>)[] = [
        ({ itemId }) => workspace.admin.command('item.forget', { itemId, surface: 'rest' }),
        ({ chunkId }) => workspace.admin.command('chunk.forget', { chunkId, surface: 'rest' }),
        ({ itemId }) => workspace.admin.command('item.update', { itemId, inKb: false }),
        async ({ itemId }) =>
          workspace.admin.command('item.supersede', { oldId: itemId, newId: (await workspace.store()).itemId }),
      ];
      for (const remove of gone) {
        const { itemId, chunkIds } = await item();
        await observe({ chunkId: chunkIds[0]! });
        await found('keeper');
        await remove({ itemId, chunkId: chunkIds[0]! });
        expect((await vanished('keeper')).edges).toEqual([]);
        expect(await find('keeper')).toEqual([]);
      }
    });
  });
};
