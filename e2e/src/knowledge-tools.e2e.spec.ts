import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, embedded, ERAS, newToken, newWorkspace, rest, type ToolClient } from './under-test.js';

const NEW_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('the knowledge tools', () => {
  let admin: string;
  let client: ToolClient;

  const store = async (args: Record<string, unknown>, by = client) => by.call('store_knowledge', args);
  const stored = async (args: Record<string, unknown>, by = client): Promise<string> => {
    const { structuredContent, isError } = await store(args, by);
    if (isError) throw new Error(JSON.stringify(structuredContent));
    return structuredContent['id'] as string;
  };
  const search = async (args: Record<string, unknown>, by = client): Promise<any[]> => {
    const { structuredContent, isError } = await by.call('search_knowledge', args);
    if (isError) throw new Error(JSON.stringify(structuredContent));
    return structuredContent['hits'] as any[];
  };
  const refused = async (tool: string, args: Record<string, unknown>): Promise<Record<string, any>> => {
    const before = (await rest(admin, 'GET', '/items?limit=1')).body.items[0]?.id;
    const answer = await client.call(tool, args);
    expect(answer.isError).toBe(true);
    expect((await rest(admin, 'GET', '/items?limit=1')).body.items[0]?.id).toBe(before);
    return answer.structuredContent;
  };

  beforeAll(async () => {
    admin = (await newWorkspace()).token;
    const token = await newToken(admin, { agentId: 'agent-1', scopes: ['knowledge:read', 'knowledge:write'] });
    client = await connect(token);
  });

  afterAll(() => client.close());

  it.each(ERAS)('[D-01] [C-01] lists the three tools in the %s', async (era) => {
    const own = await connect(admin, era);
    const names = (await own.listTools()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['store_knowledge', 'search_knowledge', 'supersede_knowledge']));
    await own.close();
  });

  it.each(ERAS)('[C-02] stores and finds by keyword in the very next call in the %s', async (era) => {
    const own = await connect(admin, era);
    const word = `zq${randomUUID().slice(0, 8)}`;
    const id = await stored({ title: 'Immediate', body: `The word ${word} must be found at once.` }, own);
    expect((await search({ query: word }, own))[0].id).toBe(id);
    const kb = await own.call('search_knowledge_base', { query: word, mode: 'keyword' });
    expect((kb.structuredContent['hits'] as any[])[0].itemId).toBe(id);
    await own.close();
  });

  it.each([
    ['[D-05]', 'title', 200],
    ['[D-06]', 'body', 32_000],
  ])('%s limits %s to 1..%i characters', async (_id, field, max) => {
    const args = (text: string) => ({ title: 'Bounds', body: 'Bounds', [field]: text });
    expect(await stored(args('x'))).toMatch(NEW_UUID);
    expect(await stored(args('é'.repeat(max)))).toMatch(NEW_UUID);
    for (const text of ['', 'x'.repeat(max + 1)]) {
      const { code, field: named, message } = await refused('store_knowledge', args(text));
      expect(code).toBe('input.invalid');
      expect(named).toBe(field);
      expect(message).toContain(field);
    }
    const { title: _omitted, ...rest_ } = args('x');
    expect(await refused('store_knowledge', field === 'title' ? rest_ : { title: 'x' })).toMatchObject({ field });
  });

  it('[D-07] accepts 16 tags and rejects 17', async () => {
    const tags = Array.from({ length: 17 }, (_, i) => `tag-${i}`);
    await stored({ title: 'Tags', body: 'Tags', tags: tags.slice(0, 16) });
    expect(await refused('store_knowledge', { title: 'Tags', body: 'Tags', tags })).toMatchObject({
      field: 'tags',
      limit: 16,
    });
  });

  it('[D-08] lowercases tags and rejects those that are not kebab-case then', async () => {
    const id = await stored({ title: 'Folded', body: 'Folded', tags: ['FooBar', 'Release-2'] });
    expect((await rest(admin, 'GET', `/items/${id}`)).body.tags).toEqual(['foobar', 'release-2']);
    for (const tag of ['foo bar', 'foo_bar', '-foo', 'föö']) {
      expect(await refused('store_knowledge', { title: 'x', body: 'x', tags: [tag] })).toMatchObject({
        field: 'tags[0]',
      });
    }
  });

  it('[D-09] accepts a confidence of 0 to 100, 80 by default', async () => {
    const read = async (id: string) => (await rest(admin, 'GET', `/items/${id}`)).body.confidence;
    expect(await read(await stored({ title: 'x', body: 'x' }))).toBe(80);
    for (const confidence of [0, 100])
      expect(await read(await stored({ title: 'x', body: 'x', confidence }))).toBe(confidence);
    for (const confidence of [-1, 101])
      expect(await refused('store_knowledge', { title: 'x', body: 'x', confidence })).toMatchObject({
        field: 'confidence',
      });
  });

  it('[D-10] requires expiresAt to be strictly in the future', async () => {
    await stored({ title: 'x', body: 'x', expiresAt: new Date(Date.now() + 60_000).toISOString() });
    for (const expiresAt of [new Date().toISOString(), '2020-01-01T00:00:00Z', 'tomorrow']) {
      expect(await refused('store_knowledge', { title: 'x', body: 'x', expiresAt })).toMatchObject({
        field: 'expiresAt',
      });
    }
  });

  it('[D-11] accepts only the two kinds of taskRef', async () => {
    for (const kind of ['references', 'produced'])
      await stored({ title: 'x', body: 'x', taskRef: { taskId: 'T-1', kind } });
    expect(
      await refused('store_knowledge', { title: 'x', body: 'x', taskRef: { taskId: 'T-1', kind: 'blocks' } }),
    ).toMatchObject({ field: 'taskRef.kind' });
  });

  it('[D-13] requires clientToken to be a uuid', async () => {
    await stored({ title: 'x', body: 'x', clientToken: randomUUID() });
    expect(await refused('store_knowledge', { title: 'x', body: 'x', clientToken: 'not-a-uuid' })).toMatchObject({
      field: 'clientToken',
    });
  });

  it('[D-14] [D-16] answers the same clientToken alike within its window, even for concurrent calls', async () => {
    const args = { title: 'Once', body: 'Stored once', clientToken: randomUUID() };
    const answers = await Promise.all(Array.from({ length: 8 }, () => store(args)));
    const again = await store(args);
    for (const { structuredContent } of [...answers, again])
      expect(structuredContent).toEqual(answers[0]!.structuredContent);
    expect(await refused('store_knowledge', { ...args, body: 'Other' })).toMatchObject({
      code: 'idempotency.key_reused',
    });
  });

  it('[D-15] separates clientTokens by agent', async () => {
    const other = await connect(await newToken(admin, { agentId: 'agent-2', scopes: ['knowledge:write'] }));
    const args = { title: 'Twice', body: 'Stored twice', clientToken: randomUUID() };
    expect(await stored(args)).not.toBe(await stored(args, other));
    await other.close();
  });

  it('[D-17] [D-18] [D-20] records source and agent from the token, never from arguments', async () => {
    const answer = await store({ title: 'Who', body: 'Who stored this?' });
    expect(answer.structuredContent).toMatchObject({ embeddingStatus: 'pending' });
    const { body } = await rest(admin, 'GET', `/items/${answer.structuredContent['id']}`);
    expect(body).toMatchObject({ createdByAgentId: 'agent-1', source: { kind: 'agent' }, kind: 'knowledge' });
    for (const field of ['createdByAgentId', 'created_by_agent_id', 'source']) {
      expect(await refused('store_knowledge', { title: 'x', body: 'x', [field]: 'spoofed' })).toMatchObject({ field });
    }
  });

  it('[D-24] accepts a query of 1 to 2000 characters', async () => {
    await search({ query: 'x'.repeat(2_000) });
    for (const query of ['', 'x'.repeat(2_001)])
      expect(await refused('search_knowledge', { query })).toMatchObject({ field: 'query' });
  });

  it('[D-25] returns 10 hits by default and accepts 1 to 50', async () => {
    for (let i = 0; i < 12; i++) await stored({ title: `Count ${i}`, body: 'countable marmalade entry' });
    expect(await search({ query: 'marmalade' })).toHaveLength(10);
    expect(await search({ query: 'marmalade', limit: 1 })).toHaveLength(1);
    expect((await search({ query: 'marmalade', limit: 50 })).length).toBeGreaterThanOrEqual(12);
    for (const limit of [0, 51])
      expect(await refused('search_knowledge', { query: 'x', limit })).toMatchObject({ field: 'limit' });
  });

  it('[D-26] lowercases the tags of a search and accepts at most 16', async () => {
    const id = await stored({ title: 'Tagged', body: 'needle in a tagged haystack', tags: ['Foo'] });
    await stored({ title: 'Untagged', body: 'needle in another haystack' });
    expect((await search({ query: 'needle haystack', tags: ['FOO'] })).map((hit) => hit.id)).toEqual([id]);
    expect(await refused('search_knowledge', { query: 'x', tags: Array(17).fill('a') })).toMatchObject({
      field: 'tags',
    });
  });

  it('[D-27] hides superseded entries unless asked', async () => {
    const old = await stored({ title: 'Old gizmo', body: 'the frobnicator has two levers' });
    const fresh = await stored({ title: 'New gizmo', body: 'the frobnicator has three levers' });
    await client.call('supersede_knowledge', { oldId: old, newId: fresh });
    const ids = async (args: object) => (await search({ query: 'frobnicator', ...args })).map((hit) => hit.id);
    expect(await ids({})).toContain(fresh);
    expect(await ids({ limit: 50 })).not.toContain(old);
    expect(await ids({ includeSuperseded: true })).toEqual(expect.arrayContaining([old, fresh]));
  });

  it('[D-28] hides expired entries unless asked', async () => {
    const id = await stored({
      title: 'Brief',
      body: 'an ephemeral quokka',
      expiresAt: new Date(Date.now() + 1_500).toISOString(),
    });
    const ids = async (args: object) => (await search({ query: 'quokka', ...args })).map((hit) => hit.id);
    expect(await ids({})).toContain(id);
    await new Promise((resolve) => setTimeout(resolve, 1_600));
    expect(await ids({ limit: 50 })).not.toContain(id);
    expect(await ids({ includeExpired: true })).toContain(id);
  });

  it('[D-29] drops hits whose fused score is below minScore', async () => {
    // A vector that arrives between the two searches would change the scores.
    await embedded(admin, await stored({ title: 'Zeppelin', body: 'zeppelin zeppelin' }));
    await embedded(admin, await stored({ title: 'Airship', body: 'a zeppelin is an airship' }));
    const all = await search({ query: 'zeppelin' });
    const cut = (all[0].score + all[1].score) / 2;
    expect((await search({ query: 'zeppelin', minScore: cut })).map((hit) => hit.id)).toEqual([all[0].id]);
    for (const minScore of [-0.1, 1.1])
      expect(await refused('search_knowledge', { query: 'x', minScore })).toMatchObject({ field: 'minScore' });
  });

  it('[D-30] accepts an efSearch of 1 to 200', async () => {
    for (const efSearch of [1, 200]) await search({ query: 'zeppelin', efSearch });
    for (const efSearch of [0, 201])
      expect(await refused('search_knowledge', { query: 'x', efSearch })).toMatchObject({ field: 'efSearch' });
  });

  it('[D-31] finds by meaning once the vector exists', async () => {
    const id = await stored({ title: 'Sign-in', body: 'user consent at /authorize' });
    await embedded(admin, id);
    expect((await search({ query: 'explain the permission dialog of the login' })).map((hit) => hit.id)).toContain(id);
  });

  it('[D-32] matches whole words without stemming, [D-33] titles by substring', async () => {
    const id = await stored({ title: 'Blimpography for beginners', body: 'walking the hills' });
    const legs = async (query: string): Promise<string[]> => {
      const hit = (await search({ query, explain: true, limit: 50 })).find((found) => found.id === id);
      return hit ? hit.explain.legs.filter((leg: any) => leg.rank !== null).map((leg: any) => leg.leg) : [];
    };
    expect(await legs('walking hills')).toContain('fulltext');
    expect(await legs('walked hill')).not.toContain('fulltext');
    expect(await legs('impograph')).toContain('title');
    expect(await legs('100%')).not.toContain('title');
  });

  it('[D-34] fuses by RRF with k = 60, normalised, the raw score beside it', async () => {
    for (const hit of await search({ query: 'zeppelin airship', explain: true })) {
      const raw = hit.explain.legs.reduce(
        (sum: number, leg: any) => sum + (leg.rank === null ? 0 : 1 / (60 + leg.rank)),
        0,
      );
      expect(hit.rawScore).toBeCloseTo(raw, 9);
      expect(hit.score).toBeCloseTo(raw / (3 / 61), 9);
    }
  });

  it('[D-35] [D-36] [D-37] returns a centred snippet, and the body through the resource', async () => {
    const body = `${'before '.repeat(200)}pinpoint ${'after '.repeat(200)}`.trim();
    const id = await stored({ title: 'Long', body });
    const [hit] = await search({ query: 'pinpoint' });
    expect(hit).not.toHaveProperty('body');
    expect([...hit.snippet].length).toBe(240);
    const middle = hit.snippet.indexOf('pinpoint') + 'pinpoint'.length / 2;
    expect(Math.abs(middle - 120)).toBeLessThanOrEqual(8);
    expect(hit.resource).toBe(`drobek://knowledge/${id}`);
    expect(await client.read(hit.resource)).toBe(body);
  });

  it('[D-38] stays within the workspace', async () => {
    const word = `wq${randomUUID().slice(0, 8)}`;
    const id = await stored({ title: 'Mine', body: `secret ${word}` });
    const foreign = await connect((await newWorkspace()).token);
    expect(await search({ query: word }, foreign)).toEqual([]);
    expect((await foreign.call('get_item', { item_id: id })).structuredContent).toMatchObject({
      code: 'item.not_found',
    });
    await foreign.close();
  });
});
