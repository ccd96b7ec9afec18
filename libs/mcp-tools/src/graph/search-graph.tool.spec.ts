import { describe, expect, it } from '@jest/globals';
import { fail } from '@cairn/contracts';
import { findTool } from '../registry.js';
import { graphToolsOn, trailerOf } from './graph-tools.harness.js';

const filled = async () => {
  const tools = graphToolsOn();
  const state = (text: string, edges: object[]) =>
    tools.cairn().command('edge.observe', { text, edges: edges as never, surface: 'mcp' });
  await state('Alice Chen works at Meridian Labs.', [
    {
      subject: 'Alice Chen',
      predicate: 'works_at',
      object: 'Meridian Labs',
      subjectType: 'person',
      sourceKind: 'extracted',
    },
  ]);
  await state('Bob Stone may work at Meridian Labs.', [
    { subject: 'Bob Stone', predicate: 'works_at', object: 'Meridian Labs', sourceKind: 'ambiguous', confidence: 0.4 },
  ]);
  return { ...tools, state };
};

describe('carabase_search_graph', () => {
  it('publishes its arguments with bounds and defaults', () => {
    expect(findTool('carabase_search_graph')?.inputSchema).toMatchObject({
      required: ['start_entity'],
      additionalProperties: false,
      properties: {
        start_entity: { minLength: 1, maxLength: 200 },
        depth: { minimum: 1, maximum: 3, default: 1 },
        min_confidence: { minimum: 0, maximum: 1, default: 0.5 },
        source_kinds: { minItems: 1, maxItems: 3 },
      },
    });
  });

  it('walks edges with their evidence, and marks edges that were not read in a text', async () => {
    const { call } = await filled();
    const found = await call('carabase_search_graph', { start_entity: 'alice chen', depth: 2, min_confidence: 0 });
    const { entity, nodes, edges } = found.structuredContent;
    expect(entity).toMatchObject({ name: 'Alice Chen', type: 'person' });
    expect(nodes.map(({ name, hop }: { name: string; hop: number }) => [name, hop])).toEqual([
      ['Alice Chen', 0],
      ['Meridian Labs', 1],
      ['Bob Stone', 2],
    ]);
    expect(edges[0].evidence).toEqual([
      {
        artifact: expect.stringMatching(/^carabase:\/\/artifact\//),
        chunk_id: expect.any(String),
        position: expect.any(Number),
      },
    ]);
    expect(found.content[0]).toMatchObject({
      text: 'Alice Chen (person):\nAlice Chen works_at Meridian Labs\nBob Stone works_at Meridian Labs [ambiguous 0.40]',
    });
    expect(found.structuredContent.hint).toBeUndefined();
  });

  it('gives the same answer under its other names and the old name of its argument', async () => {
    const { call } = await filled();
    const now = await call('carabase_search_graph', { start_entity: 'Alice Chen' });
    expect(await call('search_graph', { entity: 'Alice Chen' })).toEqual(now);
    expect(await call('query_graph', { entity: 'Alice Chen' })).toEqual(now);
  });

  it('names similar entities for an unknown one, and the suggested call works', async () => {
    const { call } = await filled();
    const empty = await call('carabase_search_graph', { start_entity: 'Alice' });
    expect(empty.structuredContent).toMatchObject({
      entity: null,
      candidates: [{ name: 'Alice Chen' }],
      nodes: [],
      edges: [],
    });
    expect(empty.structuredContent.hint.kind).toBe('graphUnknownEntity');
    expect(trailerOf(empty)).toMatch(
      /^\[hint: No entity is named "Alice"\. Similar names: "Alice Chen"\..*\]\n\[trace: searched graph for "Alice" → no such entity\]$/,
    );
    const [next] = empty.structuredContent.hint.next;
    expect((await call(next.tool, next.arguments)).structuredContent.edges).toHaveLength(1);
  });

  it('names the filter that left out every edge, and the suggested call works', async () => {
    const { call } = await filled();
    const args = { start_entity: 'Bob Stone', source_kinds: ['extracted'] };
    const empty = await call('carabase_search_graph', args);
    const { hint, trace } = empty.structuredContent;
    expect(hint.kind).toBe('graphNoEdges');
    expect(trace).toEqual({
      start_entity: 'Bob Stone',
      resolved: true,
      depth: 1,
      visited: 1,
      dropped: { confidence: 0, source_kind: 1 },
    });
    expect(await call('carabase_search_graph', args)).toEqual(empty);
    const [next] = hint.next;
    const wider = await call(next.tool, { ...next.arguments, min_confidence: 0 });
    expect(wider.structuredContent.edges).toHaveLength(1);
  });

  it('refuses repeated kinds and unknown fields, with a hint', async () => {
    const { call } = await filled();
    for (const args of [
      { start_entity: 'x', source_kinds: ['extracted', 'extracted'] },
      { start_entity: 'x', depth: 4 },
      { start_entity: 'x', min_confidence: 1.1 },
      { start: 'x' },
    ]) {
      const refused = await call('carabase_search_graph', args);
      expect(refused).toMatchObject({
        isError: true,
        structuredContent: { code: 'input.invalid', hint: { kind: 'invalidArguments' } },
      });
      expect(trailerOf(refused)).toMatch(/^\[hint: .*\]\n\[trace: .*\]$/);
    }
  });

  it('has a trail for every failure', async () => {
    const tool = findTool('carabase_search_graph')!;
    const trail = await tool.trailOf(fail('service.timeout', 'too slow'), { start_entity: 'Alice' });
    expect(trail?.hint).toMatchObject({ kind: 'unavailable', next: [] });
  });

  it.each([
    ['the name is at fault', { start_entity: 'Alice', entity: 'Alice' }, ['carabase_find_entity_candidates']],
    ['another argument is at fault', { start_entity: 'Alice', depth: 4 }, []],
    ['the name is too long for that search too', { start_entity: 'x'.repeat(201) }, []],
  ])('suggests a search for the name only if it can help: %s', async (_, args, tools) => {
    const { hint } = (await (await filled()).call('carabase_search_graph', args)).structuredContent;
    expect(hint.next.map(({ tool }: { tool: string }) => tool)).toEqual(tools);
  });
});

describe('carabase_find_entity_candidates', () => {
  it('collects the details that distinguish candidates, and accepts hints', async () => {
    const { call, state } = await filled();
    await state('Alice Reed leads Apollo.', [
      { subject: 'Alice Reed', predicate: 'leads', object: 'Apollo', subjectType: 'person' },
    ]);
    const found = await call('carabase_find_entity_candidates', { text: 'Alice', hints: { near: ['Apollo'] } });
    expect(found.structuredContent.candidates).toEqual([
      expect.objectContaining({
        name: 'Alice Reed',
        type: 'person',
        match: 'word',
        context: expect.objectContaining({ mentions: 1, folios: ['Inbox'], neighbours: ['Apollo'] }),
      }),
      expect.objectContaining({ name: 'Alice Chen' }),
    ]);
    const old = await call('find_entity_candidates', { name: 'Alice', hints: { near: ['Apollo'] } });
    expect(old).toEqual(found);
    expect(
      (await call('carabase_find_entity_candidates', { text: 'Alice' })).structuredContent.candidates,
    ).toHaveLength(2);
  });

  it('suggests other calls if no name is similar', async () => {
    const { call } = await filled();
    const empty = await call('carabase_find_entity_candidates', { text: 'Zebra Quux' });
    expect(empty.structuredContent).toMatchObject({
      candidates: [],
      hint: {
        kind: 'candidatesNoResults',
        next: [{ arguments: { text: 'Zebra' } }, { tool: 'carabase_search_semantic' }],
      },
      trace: { text: 'Zebra Quux', tried: ['exact', 'alias', 'word', 'prefix', 'spelling'], found: 0 },
    });
    expect(trailerOf(empty)).toContain(
      '[trace: looked for "Zebra Quux" as exact, alias, word, prefix, spelling → 0 candidates]',
    );
  });
});

describe('an edge that a commit states', () => {
  const edge = { subject: 'Alice Chen', predicate: 'leads', object: 'Apollo' };

  it('is walked from either end, and its artifact is found by the name of an entity', async () => {
    const { call, folder } = graphToolsOn();
    await folder('Research');
    const content = 'Alice Chen leads Apollo since May.';
    const made = await call('commit_to_folio', { folioName: 'Research', content, extraMetadata: { edges: [edge] } });
    const found = await call('carabase_search_graph', { start_entity: 'Apollo' });
    expect(found.structuredContent.edges).toEqual([
      expect.objectContaining({ predicate: 'leads', source_kind: 'inferred', confidence: 0.8 }),
    ]);
    const items = await call('carabase_query_metadata', { filters: { entity_name: 'alice chen' } });
    expect(items.structuredContent.items).toEqual([
      expect.objectContaining({ artifact: made.structuredContent.artifact }),
    ]);
    const none = await call('carabase_query_metadata', { entity_name: 'Bob Stone' });
    expect(none.structuredContent).toMatchObject({ items: [], total: 0 });
  });

  it('is refused when a name does not occur in the text, and nothing is stored', async () => {
    const { call, folder } = graphToolsOn();
    await folder('Research');
    const args = { folioName: 'Research', content: 'Nothing about it.', extraMetadata: { edges: [edge] } };
    const refused = await call('commit_to_folio', args);
    expect(refused.structuredContent).toMatchObject({ code: 'edge.name_not_in_evidence' });
    expect((await call('carabase_query_metadata', { kind: 'commit' })).structuredContent.total).toBe(0);
  });
});
