import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callRpc, connect, embedded, ERAS, newWorkspace, rest, storeItem, type ToolClient } from './under-test.js';

const HIT = /^\d+\. \((\d\.\d\d)\) (.+)$/;

interface Hit {
  readonly chunkId: string;
  readonly itemId: string;
  readonly title: string;
  readonly score: number;
  readonly snippet: string;
}

describe('search_knowledge_base', () => {
  let token: string;
  let client: ToolClient;
  const ids: Record<string, string> = {};

  const search = async (
    args: Record<string, unknown>,
    by = client,
  ): Promise<{ hits: Hit[]; text: string; mode: string; degraded: boolean }> => {
    const answer = await by.call('search_knowledge_base', args);
    expect(answer.isError ?? false).toBe(false);
    return { ...(answer.structuredContent as any), text: answer.content[0]!.text };
  };

  beforeAll(async () => {
    token = (await newWorkspace()).token;
    client = await connect(token);
    const texts: Record<string, [string, string]> = {
      consent: ['OAuth pages', 'user consent at /authorize'],
      tokens: [
        'Tokens, capabilities, and scope',
        'A token carries a folder scope, whole library or a specific list of folders.',
      ],
      rest: ['MCP vs REST', 'Scope rules: multi-folder scope tokens require every target folder to be in scope.'],
      code: [
        'Error handbook',
        'When the broker refuses a write the client sees ERR_CONN_4711 and should call getUserById again.',
      ],
      person: ['Team', 'Grace Hopper maintains the compiler and reviews releases on Fridays.'],
      api: ['Endpoints', 'POST /v2/query replaces the old search endpoint; the parameter is called efSearch.'],
      cooking: ['Bread', 'Let the dough rest overnight in a cool place before baking it in a very hot oven.'],
      garden: ['Garden', 'Tomatoes need a sunny spot, regular watering and a little patience.'],
      travel: ['Trip', 'The night train to the coast leaves at nine and arrives before breakfast.'],
      music: ['Practice', 'Scales every morning keep the fingers of a pianist quick and even.'],
      sport: ['Running', 'A slow long run each week builds endurance better than sprinting.'],
      long: [
        'Handbook',
        Array.from(
          { length: 60 },
          (_, i) =>
            `Paragraph ${i} of the handbook explains the quarterly lighthouse inspection, its lamps and its lenses, in some detail.`,
        ).join('\n\n'),
      ],
    };
    for (const [name, [title, text]] of Object.entries(texts)) ids[name] = (await storeItem(token, { title, text })).id;
    await Promise.all(Object.values(ids).map((id) => embedded(token, id)));
  });

  afterAll(() => client.close());

  it.each(ERAS)('[G-01] [G-02] is listed with its purpose in the %s', async (era) => {
    const own = await connect(token, era);
    const tool = (await own.listTools()).find(({ name }) => name === 'search_knowledge_base')!;
    expect(tool.description).toMatch(/semantic/i);
    expect(tool.description).toMatch(/keyword/i);
    expect(tool.description).toMatch(/hybrid/i);
    expect(tool.description).toMatch(/not a confidence/);
    expect(tool.outputSchema.properties.hits.items.properties.score.description).toMatch(/relative to this answer/);
    expect(tool.outputSchema.type).toBe('object');
    await own.close();
  });

  it.each(ERAS)('[G-16] finds a paraphrase and an exact string without a mode in the %s', async (era) => {
    const own = await connect(token, era);
    expect((await search({ query: 'explain the consent flow' }, own)).hits[0]!.itemId).toBe(ids['consent']);
    expect((await search({ query: 'ERR_CONN_4711' }, own)).hits[0]!.itemId).toBe(ids['code']);
    await own.close();
  });

  it('[G-03] returns chunks: two chunks of one item are two hits', async () => {
    const { hits } = await search({ query: 'quarterly lighthouse inspection lamps lenses', limit: 10 });
    const own = hits.filter(({ itemId }) => itemId === ids['long']);
    expect(own.length).toBeGreaterThan(1);
    expect(new Set(own.map(({ chunkId }) => chunkId)).size).toBe(own.length);
  });

  it('[G-06] [G-30] rejects a missing query with -32602 that names it', async () => {
    const { body } = await callRpc(token, 'search_knowledge_base', {});
    expect(body.error.code).toBe(-32602);
    expect(body.error.message).toContain('query');
  });

  it('[G-07] returns 8 hits by default', async () => {
    expect((await search({ query: 'a token, the dough, tomatoes, trains and lighthouse' })).hits).toHaveLength(8);
  });

  it('[G-08] [G-31] accepts a limit of 1 to 20 and rejects others with -32602', async () => {
    const other = (await newWorkspace()).token;
    const own = await connect(other);
    const text = Array.from(
      { length: 24 },
      (_, i) => `Part ${i}. ${'The lighthouse keeper trims the wick. '.repeat(40)}`,
    );
    const { chunkIds } = await storeItem(other, { title: 'Lamps', text: text.join('\n\n') });
    expect(chunkIds.length).toBeGreaterThan(20);
    for (const limit of [1, 20]) expect((await search({ query: 'lighthouse', limit }, own)).hits).toHaveLength(limit);
    await own.close();
    for (const limit of [0, 21, -1, 2.5, '2.5', '21', 'five']) {
      const { body } = await callRpc(token, 'search_knowledge_base', { query: 'x', limit });
      expect(body.error.code).toBe(-32602);
      expect(body.error.message).toContain('limit');
    }
  });

  it('[G-09] has the three modes in its schema and rejects a fourth', async () => {
    const tool = (await client.listTools()).find(({ name }) => name === 'search_knowledge_base')!;
    expect(tool.inputSchema.properties.mode.enum).toEqual(['semantic', 'keyword', 'hybrid']);
    const { body } = await callRpc(token, 'search_knowledge_base', { query: 'x', mode: 'fuzzy' });
    expect(body.error.code).toBe(-32602);
  });

  it('[G-10] is hybrid when no mode is given', async () => {
    const query = 'scope of a token';
    expect((await search({ query })).hits).toEqual((await search({ query, mode: 'hybrid' })).hits);
  });

  it('[G-12] finds the paraphrase of the spec by meaning, scored by the vector leg alone', async () => {
    const { hits } = await search({ query: 'explain the consent flow', mode: 'semantic', explain: true });
    expect(hits[0]!.itemId).toBe(ids['consent']);
    for (const hit of hits as (Hit & { explain: any })[]) {
      expect(hit.explain.legs[0]).toMatchObject({ leg: 'vector', rawScore: hit.score });
    }
  });

  it.each([
    ['an exact string', 'rest overnight in a cool place', 'cooking'],
    ['a proper noun', 'Grace Hopper', 'person'],
    ['a function name', 'getUserById', 'code'],
    ['an API name', '/v2/query', 'api'],
    ['an error code', 'ERR_CONN_4711', 'code'],
  ])('[G-13] [G-14] finds %s by keyword', async (_what, query, name) => {
    const { hits } = await search({ query, mode: 'keyword' });
    expect(hits[0]!.itemId).toBe(ids[name]);
  });

  it('[G-15] blends 70 % semantic and 30 % keyword, as computed from the two single-mode runs', async () => {
    const query = 'token scope folders';
    const leg = (hit: { explain: any }, name: string) => hit.explain.legs.find((entry: any) => entry.leg === name);
    const raw = async (mode: string, name: string): Promise<Map<string, number>> => {
      const { hits } = await search({ query, limit: 20, mode, explain: true });
      return new Map(hits.map((hit) => [hit.chunkId, leg(hit as never, name).rawScore]));
    };
    const semantic = await raw('semantic', 'vector');
    let [keyword, explained]: [Map<string, number>, (Hit & { explain: any })[]] = [new Map(), []];
    // BM25 statistics cover the whole index, which other suites write to, so the query is repeated until they settle.
    for (let isSame = false; !isSame;) {
      keyword = await raw('keyword', 'bm25');
      explained = (await search({ query, limit: 20, explain: true })).hits as typeof explained;
      isSame = JSON.stringify([...keyword]) === JSON.stringify([...(await raw('keyword', 'bm25'))]);
    }
    const minMax = (scores: Map<string, number>, id: string): number => {
      const values = [...scores.values()];
      const [low, high] = [Math.min(...values), Math.max(...values)];
      const score = scores.get(id);
      return score === undefined ? 0 : high === low ? 1 : (score - low) / (high - low);
    };
    expect(keyword.size).toBeGreaterThan(1);
    for (const hit of explained) {
      const expected = 0.7 * minMax(semantic, hit.chunkId) + 0.3 * minMax(keyword, hit.chunkId);
      expect(hit.score).toBeCloseTo(expected, 6);
      const sum = hit.explain.legs.reduce((total: number, entry: any) => total + entry.contribution, 0);
      expect(sum).toBeCloseTo(hit.score, 9);
    }
  });

  it("[G-17] [G-18] answers the spec's example call, posted bare", async () => {
    const { status, body } = await callRpc(token, 'search_knowledge_base', {
      query: 'How do I scope a token to multiple folders?',
      limit: 5,
      mode: 'hybrid',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ jsonrpc: '2.0', id: 1 });
    expect([ids['tokens'], ids['rest']]).toContain(body.result.structuredContent.hits[0].itemId);
  });

  it('[G-19] [G-20] [G-21] [G-22] [G-23] agrees in the text list and in structuredContent', async () => {
    const { hits, text } = await search({ query: 'folder scope of a token', limit: 5 });
    const lines = text.split('\n');
    const heads = lines.map((line) => HIT.exec(line)).filter((match) => match !== null);
    expect(heads).toHaveLength(hits.length);
    heads.forEach((match, i) => {
      expect(match[0].startsWith(`${i + 1}. (`)).toBe(true);
      expect(match[1]).toBe(hits[i]!.score.toFixed(2));
      expect(match[2]).toBe(hits[i]!.title);
    });
    const snippets = text.match(/^ +"\.\.\.[\s\S]*?\.\.\."$/gm) ?? [];
    expect(snippets).toHaveLength(hits.length);
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  it('[G-24] [G-34] leads from a hit to the full content through get_item', async () => {
    const { hits } = await search({ query: 'night train to the coast' });
    const answer = await client.call('get_item', { item_id: hits[0]!.itemId });
    expect(answer.structuredContent).toMatchObject({
      id: ids['travel'],
      title: 'Trip',
      content: 'The night train to the coast leaves at nine and arrives before breakfast.',
      inKb: true,
    });
  });

  it('[G-35] pages through GET /api/v1/items, newest first, each item once', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { body: any } = await rest(
        token,
        'GET',
        `/items?limit=5${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...page.body.items.map((item: { id: string }) => item.id));
      cursor = page.body.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(Object.values(ids).reverse());
  });
});
