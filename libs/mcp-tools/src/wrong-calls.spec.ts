import { describe, expect, it } from '@jest/globals';
import { fail } from '@cairn/contracts';
import { AppError } from '@cairn/kernel';
import { toolFailure } from './failure.js';
import { InMemoryCairn } from './cairn.fake.js';
import { InMemoryPages } from './page.fake.js';
import { findTool, TOOLS } from './registry.js';
import type { ToolAnswer } from './tool.js';

/** JSON from the wire, as tests read it. */
type Loose = ReturnType<typeof JSON.parse>;

const NOW = Date.parse('2027-03-01T12:00:00Z');
const clock = { now: () => NOW };
const alice = { workspaceId: '0190a1b2-c3d4-7e5f-8a9b-000000000001', agentId: 'alice' };
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

describe('get_item', () => {
  it('accepts an id in either case, and every URI that Cairn issues', async () => {
    const { call } = cairnWith();
    const { structured: stored } = await call('store_knowledge', entry);
    const { structured: added } = await call('add_to_knowledge', { kind: 'text', text: 'A text of twenty letters.' });
    const answers = [
      await call('search_knowledge_base', { query: 'token' }),
      await call('search_knowledge', { query: 'token' }),
    ].flatMap(({ structured }) => structured['hits']);
    const listed = (await call('list_recent', {})).structured['items'];
    for (const { resource } of [...answers, ...listed, added]) {
      const { structured } = await call('get_item', { item_id: resource });
      expect(resource).toBe(`drobek://knowledge/${structured['id']}`);
    }
    for (const item_id of [stored['id'].toUpperCase(), `drobek://knowledge/${stored['id'].toUpperCase()}`])
      expect((await call('get_item', { item_id })).structured).toMatchObject({ id: stored['id'] });
  });

  it.each([
    '',
    'x',
    'drobek://knowledge/',
    'drobek://knowledge/x',
    'drobek://folder/0190a1b2-c3d4-7e5f-8a9b-000000000001',
    'cairn://workspace/main',
    'drobek://knowledge/0190a1b2-c3d4-7e5f-8a9b-000000000001?x=1',
    ' 0190a1b2-c3d4-7e5f-8a9b-000000000001',
    '0190a1b2c3d47e5f8a9b000000000001',
  ])('refuses %j and states what it accepts', async (item_id) => {
    const error = await refusal(cairnWith().call('get_item', { item_id }));
    expect(error).toMatchObject({ code: 'input.invalid', details: { field: 'item_id' } });
    if (item_id !== '') expect(error.message).toBe('item_id must be a UUID or a URI such as drobek://knowledge/{id}');
  });

  it('names the item if the id of a chunk is given', async () => {
    const { call } = cairnWith();
    const { structured: stored } = await call('store_knowledge', entry);
    const [hit] = (await call('search_knowledge_base', { query: 'token' })).structured['hits'];
    const error = await refusal(call('get_item', { item_id: hit.chunkId }));
    expect(error).toMatchObject({ code: 'item.not_found', details: { field: 'item_id', chunkOf: stored['id'] } });
    expect(error.message).toContain(`Call get_item with item_id ${stored['id']}`);
    const plain = await refusal(call('get_item', { item_id: hit.chunkId }, stranger));
    expect([plain.message, plain.details]).toEqual(['there is no such item', { field: 'item_id' }]);
  });

  it('does not give the hint if the item that it would name cannot be read', async () => {
    const ids: string[] = [];
    const query = (_type: string, { itemId }: { itemId: string }) => {
      ids.push(itemId);
      const chunkOf = '0190a1b2-c3d4-7e5f-8a9b-00000000000b';
      return Promise.reject(fail('item.not_found', 'there is no such item', { field: 'id', chunkOf }));
    };
    const item_id = '0190a1b2-c3d4-7e5f-8a9b-00000000000a';
    const context = { cairn: { query } as never, clock, pages: new InMemoryPages() };
    const error = await refusal(findTool('get_item')!.call({ item_id }, context));
    expect([error.message, error.details]).toEqual(['there is no such item', { field: 'item_id' }]);
    expect(ids).toEqual([item_id, '0190a1b2-c3d4-7e5f-8a9b-00000000000b']);
  });
});

describe('a call with faults', () => {
  it('is accepted as intended if the schema leaves no doubt', async () => {
    const { call } = cairnWith();
    const stored = await call('store_knowledge', { ...entry, tags: '["A-Tag"]', confidence: '55' });
    const { structured } = await call('search_knowledge', {
      query: 'token',
      limit: '1',
      explain: 'true',
      minScore: '0.1',
    });
    expect(structured['hits']).toEqual([
      expect.objectContaining({
        id: stored.structured['id'],
        tags: ['a-tag'],
        confidence: 55,
        explain: expect.anything(),
      }),
    ]);
    const whole = await call('search_knowledge_base', '{"query":"token","limit":"5"}');
    expect(whole.structured['hits']).toHaveLength(1);
  });

  it('keeps a text that looks like a number if a text is expected', async () => {
    const { call } = cairnWith();
    const { structured } = await call('store_knowledge', { title: '5', body: '["true"]' });
    expect((await call('get_item', { item_id: structured['id'] })).structured).toMatchObject({
      title: '5',
      content: '["true"]',
    });
  });

  it('reports all of them at once, with the nearest names', async () => {
    const { call } = cairnWith();
    const error = await refusal(call('recall', { qurey: 'x', topk: 5, graphs: 'work', minScore: 'high' }));
    expect(error.message).toBe(
      'query is required; graphs must be of type array; minScore must be a number from 0 to 1; qurey is not a known ' +
        'field (did you mean query?); topk is not a known field (did you mean topK?). Known fields: query, graphs, ' +
        'topK, minScore, explain',
    );
    const { structuredContent } = toolFailure(error, 'c');
    expect(structuredContent).toMatchObject({ field: 'query', faults: expect.any(Array) });
    const [listed] = TOOLS.filter(({ name }) => name === 'recall');
    const known = Object.keys(listed!.outputSchema['properties'] as object);
    expect(Object.keys(structuredContent).filter((key) => !known.includes(key))).toEqual([]);
  });

  it('lists no known fields for a tool that has none', async () => {
    const error = await refusal(cairnWith().call('stats', { verbose: true }));
    expect(error.message).toBe('verbose is not a known field. Known fields: none');
  });
});
