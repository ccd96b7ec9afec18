import { describe, expect, it } from '@jest/globals';
import { SCOPES, TOOLSETS } from '@cairn/contracts';
import { AppError } from '@cairn/kernel';
import type { CairnPort } from './cairn.port.js';
import { InMemoryCairn } from './cairn.fake.js';
import { InMemoryPages } from './page.fake.js';
import { findTool, TOOLS } from './registry.js';
import { RESOURCE_TEMPLATES } from './resource.js';
import type { ToolAnswer } from './tool.js';

/** JSON from the wire, as tests read it. */
type Loose = ReturnType<typeof JSON.parse>;

const NOW = Date.parse('2027-03-01T12:00:00Z');
const clock = { now: () => NOW };
const alice = { workspaceId: '0190a1b2-c3d4-7e5f-8a9b-000000000001', agentId: 'alice' };
const bob = { ...alice, agentId: 'bob' };
const stranger = { workspaceId: '0190a1b2-c3d4-7e5f-8a9b-000000000002', agentId: 'alice' };

const cairnWith = () => {
  const store = new InMemoryCairn(clock);
  const call = async (name: string, args: unknown, who = alice): Promise<ToolAnswer<Record<string, Loose>>> => {
    const tool = findTool(name);
    if (!tool) throw new Error(`no tool ${name}`);
    const answer = await tool.call(args, { cairn: store.as(who), clock, pages: new InMemoryPages() });
    expect(tool.output.safeParse(answer.structured).error).toBeUndefined();
    return answer;
  };
  return { store, call };
};

const refusal = async (promise: Promise<unknown>): Promise<AppError> => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
};

const entry = {
  title: 'Tokens and scope',
  body: 'A token carries a folder scope, whole library or a list of folders.',
};

describe('the registry', () => {
  it('[C-66] has no name with two underscores, which separate the name of an external server from its tool', () => {
    expect(TOOLS.map(({ name }) => name).filter((name) => name.includes('__'))).toEqual([]);
  });

  it('[C-03] [C-04] [D-04] defines each tool once, sorted by name, and runs without a database', () => {
    const names = TOOLS.map((tool) => tool.name);
    expect(names).toEqual([...new Set(names)].sort());
  });

  it('[G-01] [G-34] [D-01] holds the published tools under their exact names', () => {
    expect(TOOLS.map((tool) => tool.name)).toEqual(
      expect.arrayContaining([
        'search_knowledge_base',
        'get_item',
        'list_recent',
        'add_to_knowledge',
        'store_knowledge',
        'search_knowledge',
        'supersede_knowledge',
        'recall',
        'stats',
      ]),
    );
  });

  it('[G-02] describes the purpose of search_knowledge_base', () => {
    expect(findTool('search_knowledge_base')?.description).toMatch(/semantic, keyword, or hybrid search/i);
  });

  it.each(TOOLS.map((tool) => [tool.name, tool] as const))('publishes a closed, described schema for %s', (_, tool) => {
    expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(tool.outputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    // Not every client understands a list of types.
    expect(JSON.stringify([tool.inputSchema, tool.outputSchema])).not.toContain('"type":[');
    expect(tool.name).toMatch(/^[A-Za-z0-9_./-]{1,64}$/);
    expect(SCOPES).toContain(tool.scope);
    expect(TOOLSETS).toContain(tool.toolset);
    for (const property of Object.values(tool.inputSchema['properties'] as Record<string, { description?: string }>)) {
      expect(property.description).toMatch(/\w+/);
    }
  });

  it('[G-06] [G-07] [G-08] [G-09] [G-10] publishes the arguments of search_knowledge_base with bounds and defaults', () => {
    expect(findTool('search_knowledge_base')?.inputSchema).toMatchObject({
      required: ['query'],
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 2000 },
        limit: { type: 'integer', minimum: 1, maximum: 20, default: 8 },
        mode: { enum: ['semantic', 'keyword', 'hybrid'], default: 'hybrid' },
      },
    });
  });

  it('marks reads as such, and writes by what they may destroy', () => {
    const hints = Object.fromEntries(TOOLS.map((tool) => [tool.name, tool.annotations]));
    expect(hints['get_item']).toEqual({ readOnlyHint: true, openWorldHint: false });
    expect(hints['store_knowledge']).toMatchObject({ destructiveHint: false, idempotentHint: false });
    expect(hints['supersede_knowledge']).toMatchObject({ destructiveHint: true, idempotentHint: true });
  });
});

describe('search_knowledge_base', () => {
  it('[G-19] [G-20] [G-21] [G-22] returns a list of titles, scores and quoted snippets, best first', async () => {
    const { call } = cairnWith();
    await call('store_knowledge', { title: 'One of two', body: 'scope only' });
    await call('store_knowledge', { title: 'Both\nwords', body: 'token scope\nover two lines' });
    const { text, structured } = await call('search_knowledge_base', { query: 'token scope' });
    expect(text.split('\n')).toEqual([
      '1. (1.00) Both words',
      '   "...token scope over two lines..."',
      '2. (0.50) One of two',
      '   "...scope only..."',
    ]);
    const scores = structured['hits'].map((hit: { score: number }) => hit.score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  it('[G-23] [G-24] [G-34] carries the same hits for programs, each with the id that get_item accepts', async () => {
    const { call } = cairnWith();
    const { structured: stored } = await call('store_knowledge', entry);
    const { structured } = await call('search_knowledge_base', { query: 'folder scope' });
    expect(structured).toMatchObject({ mode: 'hybrid', degraded: false });
    const [hit] = structured['hits'];
    expect(hit).toMatchObject({
      itemId: stored['id'],
      title: entry.title,
      resource: `drobek://knowledge/${stored['id']}`,
    });
    expect(hit.explain).toBeUndefined();
    const { structured: item } = await call('get_item', { item_id: hit.itemId });
    expect(item).toMatchObject({
      id: stored['id'],
      title: entry.title,
      content: entry.body,
      source: { kind: 'agent' },
    });
  });

  it('[G-07] [G-10] returns 8 hits by default, in mode hybrid', async () => {
    const { call } = cairnWith();
    for (let i = 0; i < 12; i++) await call('store_knowledge', { ...entry, title: `Entry ${i}` });
    const { structured } = await call('search_knowledge_base', { query: 'token' });
    expect(structured['hits']).toHaveLength(8);
    const explicit = await call('search_knowledge_base', { query: 'token', mode: 'hybrid' });
    expect(explicit.structured).toEqual(structured);
  });

  it('explains each hit when asked', async () => {
    const { call } = cairnWith();
    await call('store_knowledge', entry);
    const { structured } = await call('search_knowledge_base', { query: 'token', explain: true });
    const [hit] = structured['hits'];
    const sum = hit.explain.legs.reduce((total: number, leg: { contribution: number }) => total + leg.contribution, 0);
    expect(sum).toBeCloseTo(hit.score);
  });

  it('reports in words that nothing matches', async () => {
    const { call } = cairnWith();
    const { text, structured } = await call('search_knowledge_base', { query: 'nothing' });
    expect(structured['hits']).toEqual([]);
    expect(text).toMatch(/nothing in the knowledge base matches/i);
  });

  it.each([
    ['[G-06] [G-30] query missing', {}, 'query'],
    ['query empty', { query: '' }, 'query'],
    ['query of 2001 characters', { query: 'x'.repeat(2001) }, 'query'],
    ['[G-08] [G-31] limit 0', { query: 'x', limit: 0 }, 'limit'],
    ['[G-08] [G-31] limit 21', { query: 'x', limit: 21 }, 'limit'],
    ['[G-08] limit -1', { query: 'x', limit: -1 }, 'limit'],
    ['limit 1.5', { query: 'x', limit: 1.5 }, 'limit'],
    ['limit as a word', { query: 'x', limit: 'five' }, 'limit'],
    ['[G-31] limit 21 as text', { query: 'x', limit: '21' }, 'limit'],
    ['[G-09] an unknown mode', { query: 'x', mode: 'fuzzy' }, 'mode'],
    ['an unknown field', { query: 'x', folder: 'y' }, 'folder'],
    ['arguments that are not an object', [], 'input'],
  ])('refuses %s and names the field', async (_, args, field) => {
    const error = await refusal(cairnWith().call('search_knowledge_base', args));
    expect(error).toMatchObject({ kind: 'invalid', details: { field } });
    expect(error.message).toContain(field);
  });

  it.each([1, 20])('[G-08] accepts limit %d', async (limit) => {
    const { structured } = await cairnWith().call('search_knowledge_base', { query: 'x', limit });
    expect(structured['hits']).toEqual([]);
  });
});

describe('store_knowledge', () => {
  it('answers with the id, a pending embedding and the position', async () => {
    const { call } = cairnWith();
    const { structured } = await call('store_knowledge', entry);
    expect(structured).toMatchObject({ embeddingStatus: 'pending', position: 1 });
  });

  it('[D-09] stores confidence 80 by default, and the agent from the caller', async () => {
    const { call } = cairnWith();
    await call('store_knowledge', entry, bob);
    const { structured } = await call('search_knowledge', { query: 'token' });
    expect(structured['hits'][0]).toMatchObject({ confidence: 80, createdByAgentId: 'bob' });
  });

  it.each([
    ['[D-05] a title of 1', { title: 'x' }],
    ['[D-05] a title of 200', { title: 'x'.repeat(200) }],
    ['[D-05] a title of 200 astral characters', { title: '😀'.repeat(200) }],
    ['[D-06] a body of 1', { body: 'x' }],
    ['[D-06] a body of 32000', { body: 'x'.repeat(32_000) }],
    ['[D-07] 16 tags', { tags: Array.from({ length: 16 }, (_, i) => `t-${i}`) }],
    ['[D-09] confidence 0', { confidence: 0 }],
    ['[D-09] confidence 100', { confidence: 100 }],
    ['[D-10] an expiry one millisecond ahead', { expiresAt: new Date(NOW + 1).toISOString() }],
    ['[D-11] a task it references', { taskRef: { taskId: 't', kind: 'references' } }],
    ['[D-11] a task that produced it', { taskRef: { taskId: 't', kind: 'produced' } }],
    ['[D-06] a body of 32000 astral characters', { body: '😀'.repeat(32_000) }],
    ['[D-05] a title of 100 letters with marks, which are two characters each', { title: 'e\u0301'.repeat(100) }],
    ['[D-08] a tag of 64', { tags: ['a'.repeat(64)] }],
    ['[D-13] a clientToken', { clientToken: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b' }],
  ])('accepts %s', async (_, args) => {
    const { structured } = await cairnWith().call('store_knowledge', { ...entry, ...args });
    expect(structured['position']).toBeGreaterThan(0);
  });

  it.each([
    ['[D-05] an empty title', { title: '' }, 'title'],
    ['[D-05] a title of 201', { title: 'x'.repeat(201) }, 'title'],
    ['[D-05] a title of 201 astral characters', { title: '😀'.repeat(201) }, 'title'],
    ['[D-05] a title of 101 letters with marks', { title: 'e\u0301'.repeat(101) }, 'title'],
    ['[D-05] no title', { title: undefined }, 'title'],
    ['[D-06] an empty body', { body: '' }, 'body'],
    ['[D-06] a body of 32001', { body: 'x'.repeat(32_001) }, 'body'],
    ['[D-06] a body of 32001 astral characters', { body: '😀'.repeat(32_001) }, 'body'],
    ['[D-06] no body', { body: undefined }, 'body'],
    ['[D-07] 17 tags', { tags: Array.from({ length: 17 }, (_, i) => `t-${i}`) }, 'tags'],
    ['[D-08] a tag with a space', { tags: ['foo bar'] }, 'tags[0]'],
    ['[D-08] a tag that starts with a hyphen', { tags: ['-a'] }, 'tags[0]'],
    ['[D-08] a tag that ends with a hyphen', { tags: ['a-'] }, 'tags[0]'],
    ['[D-08] a tag with two hyphens', { tags: ['a--b'] }, 'tags[0]'],
    ['[D-08] a tag beyond a-z', { tags: ['ä'] }, 'tags[0]'],
    ['[D-08] a tag with a line break', { tags: ['a\n'] }, 'tags[0]'],
    ['[D-08] an empty tag', { tags: [''] }, 'tags[0]'],
    ['[D-08] a tag of 65', { tags: ['a'.repeat(65)] }, 'tags[0]'],
    ['[D-08] a tag with an underscore', { tags: ['ok', 'foo_bar'] }, 'tags[1]'],
    ['[D-09] confidence -1', { confidence: -1 }, 'confidence'],
    ['[D-09] confidence 101', { confidence: 101 }, 'confidence'],
    ['[D-10] an expiry that is not a time', { expiresAt: 'tomorrow' }, 'expiresAt'],
    ['[D-10] an expiry now', { expiresAt: new Date(NOW).toISOString() }, 'expiresAt'],
    ['[D-10] an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['[D-11] a third kind of task', { taskRef: { taskId: 't', kind: 'blocks' } }, 'taskRef.kind'],
    ['[D-13] a clientToken that is not a UUID', { clientToken: 'abc' }, 'clientToken'],
    ['an author from the arguments', { createdByAgentId: 'mallory' }, 'createdByAgentId'],
  ])('refuses %s and names the field', async (_, args, field) => {
    const { call } = cairnWith();
    const error = await refusal(call('store_knowledge', { ...entry, ...args }));
    expect(error.details['field']).toBe(field);
    const { structured } = await call('search_knowledge', { query: 'token x' });
    expect(structured['hits']).toEqual([]);
  });

  it('[D-08] folds the case of tags', async () => {
    const { call } = cairnWith();
    await call('store_knowledge', { ...entry, tags: ['FooBar', 'Release-2'] });
    const { structured } = await call('search_knowledge', { query: 'token' });
    expect(structured['hits'][0].tags).toEqual(['foobar', 'release-2']);
  });

  it('counts tags that are equal after folding once, and still refuses 17 of them', async () => {
    const { call } = cairnWith();
    await call('store_knowledge', { ...entry, tags: ['Foo', 'bar', 'foo', 'FOO'] });
    const { structured } = await call('search_knowledge', { query: 'token' });
    expect(structured['hits'][0].tags).toEqual(['foo', 'bar']);
    const error = await refusal(call('store_knowledge', { ...entry, tags: Array(17).fill('foo') }));
    expect(error.details).toMatchObject({ field: 'tags', limit: 16 });
  });

  it('stores an expiry as a UTC time', async () => {
    const { call } = cairnWith();
    await call('store_knowledge', { ...entry, expiresAt: '2027-03-02T12:00:00+02:00' });
    const { structured } = await call('search_knowledge', { query: 'token' });
    expect(structured['hits'][0].expiresAt).toBe('2027-03-02T10:00:00.000Z');
  });
});

describe('search_knowledge', () => {
  it('[D-25] [D-30] publishes limit 1..50 with 10 and efSearch 1..200 with 64', () => {
    expect(findTool('search_knowledge')?.inputSchema).toMatchObject({
      required: ['query'],
      properties: {
        query: { minLength: 1, maxLength: 2000 },
        limit: { minimum: 1, maximum: 50, default: 10 },
        efSearch: { minimum: 1, maximum: 200, default: 64 },
        minScore: { minimum: 0, maximum: 1, default: 0 },
        includeSuperseded: { default: false },
        includeExpired: { default: false },
      },
    });
  });

  it('[D-26] [D-30] passes on the arguments, and their defaults', async () => {
    const asked: unknown[] = [];
    const cairn = {
      query: (_: string, data: unknown) => {
        asked.push(data);
        return Promise.resolve({ hits: [], degraded: false, stale: false });
      },
    } as never;
    const call = (args: object) =>
      findTool('search_knowledge')!.call(args, { cairn, clock, pages: new InMemoryPages() });
    await call({ query: 'x' });
    const given = { limit: 7, tags: ['A'], includeSuperseded: true, includeExpired: true, minScore: 0.5, efSearch: 3 };
    await call({ query: 'x', ...given, explain: true });
    const defaults = {
      limit: 10,
      tags: [],
      includeSuperseded: false,
      includeExpired: false,
      minScore: 0,
      efSearch: 64,
    };
    expect(asked).toEqual([
      { query: 'x', ...defaults, explain: false },
      { query: 'x', ...given, tags: ['a'], explain: true },
    ]);
  });

  it('starts the snippet at the beginning if the words were not found, even if the text contains some of them', async () => {
    const text = `${'word '.repeat(100)}needle ${'word '.repeat(100)}`;
    const hit = { itemId: 'i', folderId: 'f', title: 't', text, score: 1, rawScore: 1, tags: [], confidence: 80 };
    const more = { createdByAgentId: 'a', supersededById: null, expiresAt: null };
    const snippetOf = async (hasWords: boolean): Promise<string> => {
      const hits = [{ ...hit, ...more, hasWords }];
      const cairn = { query: () => Promise.resolve({ hits, degraded: false, stale: false }) } as never;
      const context = { cairn, clock, pages: new InMemoryPages() };
      const { structured } = await findTool('search_knowledge')!.call({ query: 'needle thread' }, context);
      return (structured as Loose).hits[0].snippet;
    };
    expect(await snippetOf(false)).toBe(text.slice(0, 240));
    expect(await snippetOf(true)).toContain('needle');
  });

  it('[D-25] returns 10 hits by default', async () => {
    const { call } = cairnWith();
    for (let i = 0; i < 12; i++) await call('store_knowledge', entry);
    const { structured } = await call('search_knowledge', { query: 'token' });
    expect(structured['hits']).toHaveLength(10);
  });

  it('[D-26] lowercases tags before it searches', async () => {
    const { call } = cairnWith();
    await call('store_knowledge', { ...entry, tags: ['foo'] });
    await call('store_knowledge', { ...entry, tags: ['bar'] });
    const { structured } = await call('search_knowledge', { query: 'token', tags: ['FOO'] });
    expect(structured['hits'].map((hit: { tags: string[] }) => hit.tags)).toEqual([['foo']]);
  });

  it('[D-35] [D-36] [D-37] returns a snippet and a resource instead of the body', async () => {
    const { store, call } = cairnWith();
    const body = `${'word '.repeat(200)}needle ${'word '.repeat(200)}`;
    const { structured: stored } = await call('store_knowledge', { title: 'Long', body });
    const { structured } = await call('search_knowledge', { query: 'needle' });
    const [hit] = structured['hits'];
    expect(Object.keys(hit)).not.toContain('body');
    expect(hit.snippet).toHaveLength(240);
    expect(hit.snippet).toContain('needle');
    const template = RESOURCE_TEMPLATES.find((candidate) => candidate.matches(hit.resource));
    const read = await template?.read(hit.resource, { cairn: store.as(alice) });
    expect(read).toEqual({ uri: `drobek://knowledge/${stored['id']}`, mimeType: 'text/plain', text: body });
  });

  it.each([
    ['[D-24] an empty query', { query: '' }, 'query'],
    ['[D-24] a query of 2001', { query: 'x'.repeat(2001) }, 'query'],
    ['[D-25] limit 0', { query: 'x', limit: 0 }, 'limit'],
    ['[D-25] limit 51', { query: 'x', limit: 51 }, 'limit'],
    ['[D-26] 17 tags', { query: 'x', tags: Array.from({ length: 17 }, () => 't') }, 'tags'],
    ['minScore 1.1', { query: 'x', minScore: 1.1 }, 'minScore'],
    ['[D-30] efSearch 0', { query: 'x', efSearch: 0 }, 'efSearch'],
    ['[D-30] efSearch 201', { query: 'x', efSearch: 201 }, 'efSearch'],
  ])('refuses %s and names the field', async (_, args, field) => {
    const error = await refusal(cairnWith().call('search_knowledge', args));
    expect(error.details['field']).toBe(field);
  });

  it.each([
    ['[D-24] a query of 2000', { query: 'x'.repeat(2000) }],
    ['[D-25] limit 50', { query: 'x', limit: 50 }],
    ['[D-30] efSearch 200', { query: 'x', efSearch: 200 }],
  ])('accepts %s', async (_, args) => {
    const { structured } = await cairnWith().call('search_knowledge', args);
    expect(structured['hits']).toEqual([]);
  });
});

describe('supersede_knowledge', () => {
  it('marks the old entry, which search then hides', async () => {
    const { call } = cairnWith();
    const { structured: a } = await call('store_knowledge', entry);
    const { structured: b } = await call('store_knowledge', entry);
    const { structured } = await call('supersede_knowledge', { oldId: a['id'], newId: b['id'] });
    expect(structured).toMatchObject({ oldId: a['id'], newId: b['id'], supersededById: b['id'] });
    const { structured: found } = await call('search_knowledge', { query: 'token' });
    expect(found['hits'].map((hit: { id: string }) => hit.id)).toEqual([b['id']]);
  });

  it.each(['oldId', 'newId'])('rejects a %s that is not a UUID', async (field) => {
    const id = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
    const error = await refusal(cairnWith().call('supersede_knowledge', { oldId: id, newId: id, [field]: 'x' }));
    expect(error.details['field']).toBe(field);
  });
});

describe('a superseded entry', () => {
  const superseded = async () => {
    const { store, call } = cairnWith();
    const { structured: old } = await call('store_knowledge', entry);
    const { structured: fresh } = await call('store_knowledge', { title: 'Fresh', body: 'The valid text.' });
    await call('supersede_knowledge', { oldId: old['id'], newId: fresh['id'] });
    const resource = (id: string) =>
      RESOURCE_TEMPLATES.find(({ name }) => name === 'knowledge')!.read(`drobek://knowledge/${id}`, {
        cairn: store.as(alice),
      });
    return { store, call, resource, oldId: old['id'] as string, newId: fresh['id'] as string };
  };

  it('names its replacement in get_item, outside the stored text', async () => {
    const { call, oldId, newId } = await superseded();
    const { text, structured } = await call('get_item', { item_id: oldId });
    expect(structured).toMatchObject({ content: entry.body, superseded: true, supersededById: newId });
    const head = text.slice(0, text.indexOf('<<<data'));
    expect(head).toContain('This item was superseded');
    expect(head).toContain(`item_id ${newId}`);
    const { text: current, structured: valid } = await call('get_item', { item_id: newId });
    expect(valid).toMatchObject({ superseded: false, supersededById: null });
    expect(current).not.toContain('superseded');
  });

  it('is marked in the text of search_knowledge and list_recent, and its replacement is not', async () => {
    const { call, newId } = await superseded();
    const found = await call('search_knowledge', { query: entry.title, includeSuperseded: true });
    expect(found.text.split(`(superseded by ${newId})`)).toHaveLength(2);
    const { text, structured } = await call('list_recent', {});
    expect(text.split('\n').map((line) => line.endsWith(', superseded)'))).toEqual([false, true]);
    expect(structured['items'].map((item: Loose) => item.superseded)).toEqual([undefined, true]);
  });

  it('names its replacement above the text of its resource and in _meta', async () => {
    const { resource, oldId, newId } = await superseded();
    const { text, _meta } = await resource(oldId);
    const [first, blank, ...rest] = text.split('\n');
    expect(first).toMatch(/^\[superseded: .*\]$/);
    expect(first).toContain(`drobek://knowledge/${newId}`);
    expect([blank, rest.join('\n')]).toEqual(['', entry.body]);
    expect(_meta).toEqual({ 'cairn/superseded': true, 'cairn/supersededBy': `drobek://knowledge/${newId}` });
    expect(await resource(newId)).toEqual({
      uri: `drobek://knowledge/${newId}`,
      mimeType: 'text/plain',
      text: 'The valid text.',
    });
  });

  it('states only that it was superseded if the caller may not see the replacement', async () => {
    const { store, oldId, newId } = await superseded();
    const port = store.as(alice);
    const withoutId: CairnPort = {
      ...port,
      query: async (type, data) => Object.assign({}, await port.query(type, data), { supersededById: null }),
    };
    const pages = new InMemoryPages();
    const { text, structured } = await findTool('get_item')!.call(
      { item_id: oldId },
      { cairn: withoutId, clock, pages },
    );
    expect(structured).toMatchObject({ superseded: true, supersededById: null });
    const read = await RESOURCE_TEMPLATES.find(({ name }) => name === 'knowledge')!.read(
      `drobek://knowledge/${oldId}`,
      { cairn: withoutId },
    );
    expect(read._meta).toEqual({ 'cairn/superseded': true });
    for (const shown of [text, read.text]) {
      expect(shown).toContain('superseded');
      expect(shown).not.toContain(newId);
    }
  });
});

describe('the knowledge resource', () => {
  it.each([
    ['unknown', 'drobek://knowledge/0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'],
    ['not a UUID', 'drobek://knowledge/..%2F'],
  ])('is not found when its id is %s', async (_, uri) => {
    const error = await refusal(
      RESOURCE_TEMPLATES.find(({ name }) => name === 'knowledge')!.read(uri, { cairn: new InMemoryCairn().as(alice) }),
    );
    expect(error).toMatchObject({ code: 'resource.not_found', details: { uri } });
  });

  it('is not found from another workspace', async () => {
    const { store, call } = cairnWith();
    const { structured } = await call('store_knowledge', entry);
    const read = RESOURCE_TEMPLATES.find(({ name }) => name === 'knowledge')!.read(
      `drobek://knowledge/${structured['id']}`,
      { cairn: store.as(stranger) },
    );
    expect((await refusal(read)).code).toBe('resource.not_found');
  });
});
