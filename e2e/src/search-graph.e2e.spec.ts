import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, ERAS, newToken, newWorkspace, rest, storeItem, type ToolClient } from './under-test.js';

let admin: string;
let token: string;
let client: ToolClient;

const call = async (name: string, args: object, by = client): Promise<any> => {
  const { isError, structuredContent } = await by.call(name, { ...args });
  expect([name, args, isError ?? false, structuredContent['message']]).toEqual([name, args, false, undefined]);
  return structuredContent;
};

const walk = (args: object, by = client): Promise<any> => call('carabase_search_graph', args, by);

/** The graph follows the log: another token's writes appear in it a moment later. */
const isRead = async (by: ToolClient, start_entity: string): Promise<void> => {
  while ((await walk({ start_entity }, by)).entity === null);
};

const inWords = ({ nodes, edges }: any): string[] => {
  const names = new Map<string, string>(nodes.map(({ id, name }: any) => [id, name]));
  return edges.map(({ from, predicate, to }: any) => `${names.get(from)} ${predicate} ${names.get(to)}`).sort();
};

const state = async (text: string, edges: object[]): Promise<any> => {
  const { status, body } = await rest(admin, 'POST', '/edges', { text, edges });
  expect([status, body.error]).toEqual([201, undefined]);
  return body;
};

beforeAll(async () => {
  admin = (await newWorkspace()).token;
  token = await newToken(admin, { scopes: ['graph:read', 'graph:write'] });
  await storeItem(admin, { title: 'People', text: 'Alice Chen works at Meridian Labs.' });
  await storeItem(admin, { title: 'More people', text: 'Bob Stone works at Meridian Labs.' });
  await storeItem(admin, { title: 'Rumours', text: 'Carol Reed might move to Lisbon.' });
  await storeItem(admin, { title: 'The past', text: 'Dan Frost no longer works at Meridian Labs.' });
  await state('Alice Chen and Kepler Project are here.', [
    { subject: 'Alice Chen', predicate: 'leads', object: 'Kepler Project', confidence: 0.6, sourceKind: 'inferred' },
    { subject: 'Alice Chen', predicate: 'founded', object: 'Kepler Project', confidence: 0.59, sourceKind: 'inferred' },
    { subject: 'Alice Chen', predicate: 'left', object: 'Kepler Project', confidence: 0.9, sourceKind: 'ambiguous' },
  ]);
  client = await connect(token);
  await isRead(client, 'Kepler Project');
}, 60_000);
afterAll(() => client.close());

describe.each(ERAS)('the graph in the %s', (era) => {
  let own: ToolClient;
  beforeAll(async () => {
    own = await connect(token, era);
  });
  afterAll(() => own.close());

  it('[C-12] walks from a named entity, and suggests similar names for an unknown one', async () => {
    const found = await walk({ start_entity: 'alice chen', source_kinds: ['extracted'] }, own);
    expect(found.entity).toMatchObject({ name: 'Alice Chen', type: 'person' });
    expect(inWords(found)).toContain('Alice Chen works_at Meridian Labs');
    const unknown = await walk({ start_entity: 'Alice' }, own);
    expect(unknown).toMatchObject({ entity: null, candidates: [{ name: 'Alice Chen' }], nodes: [], edges: [] });
    expect(unknown.hint.kind).toBe('graphUnknownEntity');
  });

  it('[C-13] walks edges up to depth hops, in both directions', async () => {
    const near = await walk({ start_entity: 'Alice Chen', source_kinds: ['extracted'] }, own);
    expect(near.nodes.map(({ name }: any) => name)).not.toContain('Bob Stone');
    const far = await walk({ start_entity: 'Alice Chen', source_kinds: ['extracted'], depth: 2 }, own);
    expect(far.nodes).toContainEqual(expect.objectContaining({ name: 'Bob Stone', hop: 2 }));
  });

  it('[C-14] leaves out an edge just below min_confidence', async () => {
    const args = { start_entity: 'Kepler Project', source_kinds: ['inferred'] };
    expect(inWords(await walk({ ...args, min_confidence: 0.6 }, own))).toEqual(['Alice Chen leads Kepler Project']);
    expect(inWords(await walk({ ...args, min_confidence: 0.59 }, own))).toHaveLength(2);
  });

  it('[C-15] hides edges of other source kinds', async () => {
    const found = await walk({ start_entity: 'Kepler Project', source_kinds: ['ambiguous'], min_confidence: 0 }, own);
    expect(found.edges.filter(({ source_kind }: any) => source_kind !== 'ambiguous')).toEqual([]);
    expect(inWords(found)).toContain('Alice Chen left Kepler Project');
  });

  it('[C-16] accepts each source kind alone and all of them together', async () => {
    const kinds = async (source_kinds?: string[]): Promise<string[]> => {
      const args = { start_entity: 'Alice Chen', min_confidence: 0, ...(source_kinds && { source_kinds }) };
      return [...new Set<string>((await walk(args, own)).edges.map(({ source_kind }: any) => source_kind))].sort();
    };
    for (const kind of ['extracted', 'inferred', 'ambiguous']) expect(await kinds([kind])).toEqual([kind]);
    expect(await kinds(['inferred', 'ambiguous'])).toEqual(['ambiguous', 'inferred']);
    expect(await kinds()).toEqual(['ambiguous', 'extracted', 'inferred']);
  });

  it('[C-17] reproduces the published example', async () => {
    const example = { start_entity: 'Alice Chen', depth: 2, min_confidence: 0.6, source_kinds: ['extracted'] };
    const found = await walk(example, own);
    expect(found.entity.name).toBe('Alice Chen');
    expect(
      found.edges.every(({ confidence, source_kind }: any) => confidence >= 0.6 && source_kind === 'extracted'),
    ).toBe(true);
    expect(await call('query_graph', { ...example, entity: 'Alice Chen', start_entity: undefined }, own)).toEqual(
      found,
    );
  });

  it('[C-18] finds the artifacts that mention an entity, and no others', async () => {
    const { items } = await call('carabase_query_metadata', { filters: { entity_name: 'bob stone' } }, own);
    expect(items.map(({ title }: any) => title)).toEqual(['More people']);
  });

  it('[C-23] describes each candidate by what distinguishes it', async () => {
    const { candidates } = await call('carabase_find_entity_candidates', { text: 'Bob' }, own);
    expect(candidates).toEqual([
      expect.objectContaining({
        name: 'Bob Stone',
        type: 'person',
        context: {
          mentions: 1,
          last_seen: expect.any(String),
          folios: [expect.any(String)],
          neighbours: expect.arrayContaining(['Meridian Labs']),
          example: {
            artifact: expect.stringMatching(/^carabase:\/\/artifact\//),
            snippet: 'Bob Stone works at Meridian Labs.',
          },
        },
      }),
    ]);
  });

  it('[C-24] works with and without hints', async () => {
    const args = { text: 'Alice' };
    const { candidates } = await call('carabase_find_entity_candidates', args, own);
    const hinted = await call(
      'carabase_find_entity_candidates',
      { ...args, hints: { type: 'person', near: ['Meridian Labs'] } },
      own,
    );
    expect(hinted.candidates.map(({ name }: any) => name)).toEqual(candidates.map(({ name }: any) => name));
    expect(hinted.candidates[0].score).toBeGreaterThanOrEqual(candidates[0].score);
  });
});

describe('facts from plain sentences', () => {
  it('are not certain for a hedge, and cannot be walked for a denial', async () => {
    const hedged = await walk({ start_entity: 'Carol Reed', min_confidence: 0 });
    expect(hedged.edges.filter(({ source_kind }: any) => source_kind !== 'ambiguous')).toEqual([]);
    const denied = await walk({ start_entity: 'Dan Frost', min_confidence: 0 });
    expect(denied.edges.filter(({ predicate }: any) => predicate === 'works_at')).toEqual([]);
  });
});

describe('review and merges', () => {
  it('[C-22] collapses aliases into the canonical entity once a person has merged them', async () => {
    await storeItem(admin, { title: 'Nickname', text: 'Ally Chen leads Apollo.' });
    // A writer reads its own writes.
    const own = await connect(admin);
    const find = async (text: string) => (await call('carabase_find_entity_candidates', { text }, own)).candidates;
    const [alias] = await find('Ally Chen');
    const [canonical] = await find('Alice Chen');
    const merged = await rest(admin, 'POST', '/entities/merges', { aliasId: alias.id, canonicalId: canonical.id });
    expect(merged.status).toBe(201);
    const [found, ...others] = await find('Ally Chen');
    expect([found.name, found.match, found.aliases, others]).toEqual(['Alice Chen', 'alias', ['Ally Chen'], []]);
    const split = await rest(admin, 'DELETE', `/entities/merges/${merged.body.mergeId}`);
    expect(split.status).toBe(204);
    expect((await find('Ally Chen'))[0].name).toBe('Ally Chen');
    await own.close();
  });

  it('keeps a verdict, and shows an edge with its evidence', async () => {
    const { edgeIds, itemId, chunkId } = await state('Eve Marsh knows Finn Hale.', [
      { subject: 'Eve Marsh', predicate: 'knows', object: 'Finn Hale', sourceKind: 'ambiguous', confidence: 0.4 },
    ]);
    const inbox = await rest(admin, 'GET', '/review?kind=edge');
    expect(inbox.body.items).toContainEqual(expect.objectContaining({ id: edgeIds[0], kind: 'edge', itemId, chunkId }));
    const { status, body } = await rest(admin, 'POST', `/edges/${edgeIds[0]}/review`, { verdict: 'confirmed' });
    expect([status, body.verdict]).toEqual([200, 'confirmed']);
    expect((await rest(admin, 'GET', `/edges/${edgeIds[0]}`)).body).toMatchObject({
      subject: 'Eve Marsh',
      predicate: 'knows',
      object: 'Finn Hale',
      confidence: 1,
      sourceKind: 'extracted',
      reviewed: 'confirmed',
      evidence: [{ itemId, chunkId, position: expect.any(Number) }],
    });
    const agent = await rest(token, 'POST', `/edges/${edgeIds[0]}/review`, { verdict: 'rejected' });
    expect(agent.status).toBe(404);
  });

  it('limits an agent to its evidence and its confidence bound', async () => {
    const edge = { subject: 'Eve Marsh', predicate: 'knows', object: 'Finn Hale' };
    const missing = await rest(token, 'POST', '/edges', { text: 'Nothing.', edges: [edge] });
    expect([missing.status, missing.body.error.code]).toEqual([400, 'edge.name_not_in_evidence']);
    const certain = { ...edge, confidence: 0.96 };
    const refused = await rest(token, 'POST', '/edges', { text: 'Eve Marsh knows Finn Hale.', edges: [certain] });
    expect([refused.status, refused.body.error.field]).toEqual([400, 'edges[0].confidence']);
  });

  it('lists entities, shows one, and shows the mentions of an item', async () => {
    const { body } = await rest(token, 'GET', '/entities?query=bob');
    expect(body.items).toEqual([
      expect.objectContaining({ name: 'Bob Stone', type: 'person', aliases: [], mentions: 1 }),
    ]);
    const entity = (await rest(token, 'GET', `/entities/${body.items[0].id}`)).body;
    expect(entity.edges).toContainEqual(
      expect.objectContaining({ subject: 'Bob Stone', predicate: 'works_at', object: 'Meridian Labs' }),
    );
    const [{ itemId, title }] = entity.mentionedIn;
    expect(title).toBe('More people');
    const item = (await rest(admin, 'GET', `/items/${itemId}`)).body;
    expect(item.mentions).toContainEqual({ entityId: body.items[0].id, name: 'Bob Stone', type: 'person' });
  });
});

describe('a folder that the reader may not see', () => {
  /** The parts that differ between two equal worlds by nature. */
  const comparable = (answer: unknown): string =>
    JSON.stringify(answer)
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
      .replaceAll(/"position":\d+/g, '"position":0')
      .replaceAll(/"last_seen":"[^"]*"/g, '"last_seen":""');

  const world = async (hasHidden: boolean): Promise<string[]> => {
    const own = (await newWorkspace()).token;
    const folder = async (slug: string): Promise<string> =>
      (await rest(own, 'POST', '/folders', { slug, name: slug })).body.id;
    const [open, hidden] = [await folder('open'), await folder('hidden')];
    await storeItem(own, { title: 'A', folderId: open, text: 'Alice Chen works at Meridian Labs.' });
    if (hasHidden) {
      for (const text of [
        'ALICE CHEN leads Apollo. ALICE CHEN works at Meridian Labs.',
        'Alice Chan works at Meridian Labs.',
        'Meridian Labs is part of Northwind Group.',
      ])
        await storeItem(own, { title: 'B', folderId: hidden, text });
    }
    await storeItem(own, { title: 'C', folderId: open, text: 'Bob Stone works at Meridian Labs.' });
    const reader = await connect(await newToken(own, { scopes: ['graph:read'], isUnscoped: false, folderIds: [open] }));
    await isRead(reader, 'Bob Stone');
    const answers: string[] = [];
    for (const [tool, args] of [
      ['carabase_search_graph', { start_entity: 'alice chen', depth: 3, min_confidence: 0 }],
      ['carabase_search_graph', { start_entity: 'Apollo' }],
      ['carabase_search_graph', { start_entity: 'Alice' }],
      ['carabase_find_entity_candidates', { text: 'Alice' }],
      ['carabase_find_entity_candidates', { text: 'Alice Chxn' }],
      ['carabase_find_entity_candidates', { text: 'Northwind' }],
    ] as const) {
      const { content, structuredContent } = await reader.call(tool, { ...args });
      answers.push(comparable({ content, structuredContent }));
    }
    await reader.close();
    return answers;
  };

  it('changes no answer of the graph: names, types, counts, order and traces equal those of a world without it', async () => {
    expect(await world(true)).toEqual(await world(false));
  }, 60_000);
});
