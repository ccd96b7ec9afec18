import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  connect,
  embedded,
  ERAS,
  newToken,
  newWorkspace,
  rest,
  storeItem,
  type ToolAnswer,
  type ToolClient,
} from './under-test.js';

const ROUTER = 'carabase_route_and_execute';
const DIRECT: Readonly<Record<string, string>> = {
  semantic: 'carabase_search_semantic',
  graph: 'carabase_search_graph',
  metadata: 'carabase_query_metadata',
};

const WHO = 'who works at Meridian Labs?';
const TODAY = 'what did I write today?';
const MEANING = 'how is the wick of a lamp kept?';

let admin: string;
let journal: string;

beforeAll(async () => {
  admin = (await newWorkspace()).token;
  journal = (await rest(admin, 'POST', '/folders', { slug: 'journal', name: 'Journal' })).body.id;
  const wicks = await storeItem(admin, {
    title: 'Wicks',
    text: 'The keeper trims the wick of the lamp every evening.',
  });
  await storeItem(admin, { title: 'Staff', text: 'Alice Chen works at Meridian Labs.', folderId: journal });
  await embedded(admin, wicks.id);
});

const without = <T extends object>(key: string, value: T): object =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));

/** The answer of the router, and that of the chosen tool, called with the arguments from the router. */
const bothWays = async (client: ToolClient, query: string): Promise<{ routed: ToolAnswer; direct: ToolAnswer }> => {
  const routed = await client.call(ROUTER, { query });
  const { strategy, arguments: args } = routed.structuredContent;
  return { routed, direct: await client.call(DIRECT[strategy]!, args) };
};

describe.each(ERAS)('carabase_route_and_execute in the %s', (era) => {
  let client: ToolClient;
  beforeAll(async () => {
    client = await connect(admin, era);
  });
  afterAll(() => client.close());

  it.each([
    ['a question of meaning', MEANING, 'semantic', { query: MEANING }],
    ['a relation of a known name', WHO, 'graph', { start_entity: 'Meridian Labs', depth: 1 }],
    ['a time', TODAY, 'metadata', { filters: { date_from: expect.any(String), date_to: expect.any(String) } }],
  ])('[C-25] [C-26] routes %s, and returns what the chosen tool returns', async (_, query, strategy, args) => {
    const { routed, direct } = await bothWays(client, query);
    expect(routed.structuredContent).toMatchObject({ strategy, arguments: args, reason: expect.stringMatching(/\w/) });
    expect(routed.structuredContent['result']).toEqual(direct.structuredContent);
    expect(Object.keys(routed.structuredContent).sort()).toEqual(['arguments', 'reason', 'result', 'strategy']);
    expect(routed.content[0]!.text).toMatch(new RegExp(`^Routed to ${strategy}: `));
    expect(routed.content[0]!.text).toContain(direct.content[0]!.text);
  });

  it('[C-25] finds something with each strategy', async () => {
    const results = await Promise.all(
      [MEANING, WHO, TODAY].map(async (query) => (await client.call(ROUTER, { query })).structuredContent['result']),
    );
    expect(results[0].hits[0]).toMatchObject({ title: 'Wicks' });
    expect(results[1].edges).toMatchObject([{ predicate: 'works_at' }]);
    expect(results[2].items.map(({ title }: { title: string }) => title)).toEqual(['Staff', 'Wicks']);
  });

  it('[C-25] routes the name of a folio to metadata', async () => {
    const { routed, direct } = await bothWays(client, 'list notes in folio Journal');
    expect(routed.structuredContent).toMatchObject({
      strategy: 'metadata',
      arguments: { filters: { folio_id: journal } },
      result: { items: [{ title: 'Staff' }] },
    });
    expect(routed.structuredContent['result']).toEqual(direct.structuredContent);
  });

  it('[C-26] repeats the hint of an empty result, with the rule, and without the time of the question', async () => {
    const query = 'what did I write on January 5th 2020?';
    const { routed, direct } = await bothWays(client, query);
    const { result, hint, trace } = routed.structuredContent;
    expect(result).toEqual(direct.structuredContent);
    expect(hint).toEqual(direct.structuredContent['hint']);
    expect(trace).toMatchObject({ strategy: 'metadata', rule: 'time', now: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(without('now', without('rule', without('strategy', trace)))).toEqual(direct.structuredContent['trace']);
    const trailer = routed.content.at(-1)!.text;
    expect(trailer).toMatch(/^\[hint: [^\n]+\]\n\[trace: routed to metadata; [^\n]+\]$/);
    expect(trailer).not.toContain(String(trace.now).slice(0, 10));
    expect((await client.call(ROUTER, { query })).content.at(-1)!.text).toBe(trailer);
  });

  it('gives the same answers under its old name, and rejects anything but a query', async () => {
    const { routed } = await bothWays(client, MEANING);
    expect(await client.call('route_and_execute', { query: MEANING })).toEqual(routed);
    for (const args of [{}, { query: '' }, { query: 'x'.repeat(2_001) }, { query: 'x', k: 3 }]) {
      const { isError, structuredContent } = await client.call(ROUTER, args);
      expect([isError, structuredContent['code']]).toEqual([true, 'input.invalid']);
    }
  });
});

it('does not route by a name or a folio that the token may not see', async () => {
  const { body } = await rest(admin, 'POST', '/folders', { slug: 'elsewhere', name: 'Elsewhere' });
  const token = await newToken(admin, { scopes: ['graph:read'], isUnscoped: false, folderIds: [body.id] });
  const client = await connect(token);
  for (const query of [WHO, 'list notes in folio Journal'])
    expect((await client.call(ROUTER, { query })).structuredContent['strategy']).toBe('semantic');
  await client.close();
});
