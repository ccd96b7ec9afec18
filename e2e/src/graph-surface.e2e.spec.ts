import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  BARE_ERAS,
  BARE_REQUESTS,
  connect,
  ERAS,
  newWorkspace,
  storeItem,
  type ToolAnswer,
  type ToolClient,
} from './under-test.js';

/** The tools that read, with a call of each. Their bare names must give the same answers. */
const READS: Readonly<Record<string, (world: World) => Record<string, unknown>>> = {
  carabase_search_semantic: () => ({ query: 'the wick of a lamp', k: 3, min_similarity: 0 }),
  carabase_search_graph: () => ({ start_entity: 'Meridian Labs', depth: 2 }),
  carabase_query_metadata: () => ({ filters: { date_from: '2020-01-01', date_to: '9999-12-31', limit: 5 } }),
  carabase_find_entity_candidates: () => ({ text: 'Alice', hints: { type: 'person' } }),
  carabase_route_and_execute: () => ({ query: 'who works at Meridian Labs?' }),
  carabase_query_timeseries: () => ({
    source: 'strava',
    metric: 'distance_meters',
    range: { from: '2026-01-01', to: '2026-02-01' },
  }),
  carabase_resolve_mesh_uri: ({ unknownUri }) => ({ uri: unknownUri }),
  carabase_traverse_memory_network: ({ itemId }) => ({ anchor: [itemId], mode: 'neighbours' }),
  carabase_verify_hypothesis: () => ({ claim: 'Alice Chen works at Meridian Labs.' }),
};
const LISTED = [...Object.keys(READS), 'commit_to_folio'].sort();
const ALIASES = [
  ...Object.keys(READS).map((name) => [name.replace('carabase_', ''), name] as const),
  ['query_graph', 'carabase_search_graph'] as const,
];

/** Defaults and limits, as published. */
const SCHEMAS: Readonly<Record<string, object>> = {
  carabase_search_semantic: {
    query: { minLength: 1, maxLength: 2_000 },
    k: { default: 10, minimum: 1, maximum: 50 },
    min_similarity: { default: 0.3, minimum: 0, maximum: 1 },
  },
  carabase_search_graph: {
    start_entity: { minLength: 1, maxLength: 200 },
    depth: { default: 1, minimum: 1, maximum: 3 },
    min_confidence: { default: 0.5, minimum: 0, maximum: 1 },
    source_kinds: { default: ['extracted', 'inferred', 'ambiguous'] },
  },
  carabase_find_entity_candidates: {
    text: { minLength: 1, maxLength: 200 },
    limit: { default: 8, minimum: 1, maximum: 20 },
  },
  carabase_route_and_execute: { query: { minLength: 1, maxLength: 2_000 } },
  carabase_resolve_mesh_uri: { uri: { minLength: 1, maxLength: 2_000 } },
  carabase_traverse_memory_network: {
    anchor: { minItems: 1, maxItems: 16 },
    mode: { default: 'pagerank' },
    depth: { default: 2, minimum: 1, maximum: 3 },
    min_confidence: { default: 0, minimum: 0, maximum: 1 },
    limit: { default: 10, minimum: 1, maximum: 50 },
  },
  carabase_verify_hypothesis: {
    claim: { minLength: 1, maxLength: 1_000 },
    limit: { default: 8, minimum: 1, maximum: 20 },
  },
  commit_to_folio: { folioName: { maxLength: 120 }, content: { maxLength: 100_000 } },
};

interface World {
  readonly itemId: string;
  readonly unknownUri: string;
}

let admin: string;
let world: World;

beforeAll(async () => {
  admin = (await newWorkspace()).token;
  const { id: itemId } = await storeItem(admin, { title: 'Staff', text: 'Alice Chen works at Meridian Labs.' });
  world = { itemId, unknownUri: `mesh://folder/${randomUUID()}/${randomUUID()}` };
});

/** A failure has a unique id, which is in its text as well. */
const comparable = ({ structuredContent, content, isError = false }: ToolAnswer): object => {
  const { correlationId = '', trace, ...rest } = structuredContent;
  const { now: _, ...same } = trace ?? {};
  const texts = content.map(({ text }) => text?.replace(String(correlationId), ''));
  return { isError, texts, ...rest, message: rest['message']?.replace(correlationId, ''), trace: same };
};

describe.each(ERAS)('the graph surface in the %s', (era) => {
  let client: ToolClient;
  beforeAll(async () => {
    client = await connect(admin, era);
  });
  afterAll(() => client.close());

  it('[C-06] lists the ten tools of the network and none of their older names', async () => {
    const tools = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names.filter((name) => /^carabase_|^commit_to_folio$/.test(name)).sort()).toEqual(LISTED);
    expect(ALIASES.filter(([alias]) => names.includes(alias))).toEqual([]);
    for (const [name, properties] of Object.entries(SCHEMAS)) {
      const { inputSchema, outputSchema } = tools.find((tool) => tool.name === name)!;
      expect(inputSchema).toMatchObject({ additionalProperties: false, properties });
      expect(Object.keys(outputSchema.properties)).toEqual(expect.arrayContaining(['hint', 'trace']));
    }
  });

  it.each(ALIASES)('[C-06] answers %s like %s', async (alias, name) => {
    const args = READS[name]!(world);
    const [first, second] = [await client.call(name, args), await client.call(alias, args)];
    expect(comparable(second)).toEqual(comparable(first));
  });

  it.each([
    ['carabase_search_graph', { entity: 'Meridian Labs' }, { start_entity: 'Meridian Labs' }],
    ['carabase_find_entity_candidates', { name: 'Alice' }, { text: 'Alice' }],
    ['carabase_search_semantic', { query: 'wick', limit: 2 }, { query: 'wick', k: 2 }],
    [
      'carabase_query_metadata',
      { date_after: '2020-01-01', date_before: '2099-01-01', kind: 'document', limit: 3 },
      { filters: { date_from: '2020-01-01', date_to: '2099-01-01', kind: 'document', limit: 3 } },
    ],
  ])('accepts the older names of arguments of %s: %j', async (name, old, current) => {
    const answer = await client.call(name, current);
    expect(answer.isError ?? false).toBe(false);
    expect(await client.call(name, old)).toEqual(answer);
    const both = await client.call(name, { ...old, ...current });
    expect([both.isError, both.structuredContent['code']]).toEqual([true, 'input.invalid']);
  });

  it('[C-63] has no tool for attaching files', async () => {
    const refusal = async (name: string): Promise<string> =>
      client.call(name, {}).then(
        (answer) => JSON.stringify(answer),
        (thrown: Error) => thrown.message,
      );
    const unknown = await refusal('carabase_no_such_tool');
    for (const name of ['carabase_attach_file', 'attach_file'])
      expect((await refusal(name)).replaceAll(name, 'carabase_no_such_tool')).toBe(unknown);
  });

  it('begins every walk with its trace', async () => {
    const walk = async (mode: string) => {
      const { content } = await client.call('traverse_memory_network', { anchor: [world.itemId], mode });
      return content[0]!.text.split('\n')[0];
    };
    expect(await walk('pagerank')).toMatch(/^\[trace: mode=pagerank iter=\d+ converged=true .+\]$/);
    expect(await walk('neighbours')).toMatch(/^\[trace: mode=neighbours iter=0 converged=true .+\]$/);
  });

  it('[C-69] [C-71] reads both resources', async () => {
    expect(await client.read(`carabase://artifact/${world.itemId}`)).toBe('Alice Chen works at Meridian Labs.');
    await expect(client.read(`carabase://artifact/${randomUUID()}`)).rejects.toThrow(/not found/i);
    await expect(client.read(`folio://${randomUUID()}/readme`)).rejects.toThrow(/not found/i);
  });
});

it.each(BARE_ERAS)('[C-69] [C-71] lists the templates of both resources in the %s', async (era) => {
  const { body } = await BARE_REQUESTS[era]!(admin, 'resources/templates/list', {});
  const templates = (body.result.resourceTemplates as { uriTemplate: string }[]).map(({ uriTemplate }) => uriTemplate);
  expect(templates).toEqual(expect.arrayContaining(['carabase://artifact/{id}{?q}', 'folio://{id}/readme']));
});
