import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  BARE_CALLS,
  BARE_ERAS,
  connect,
  embedded,
  ERAS,
  newToken,
  newWorkspace,
  rest,
  rpc,
  storeItem,
  upload,
  type ToolAnswer,
  type ToolClient,
} from './under-test.js';

const PROSE = ['Lamps', 'Tides', 'Boats'].map((word) => `${word} are checked at dusk. `.repeat(60)).join('\n\n');

const trailer = ({ content }: ToolAnswer): string => content.at(-1)?.text ?? '';
const TRAILER = /^\[hint: [^\n]+\]\n\[trace: [^\n]+\]$/;

let admin: string;
let folioId: string;
let plan: string;
let wicks: string;

beforeAll(async () => {
  admin = (await newWorkspace()).token;
  const folder = { slug: 'night-watch', name: 'Night watch', readme: 'Notes of the keepers.' };
  folioId = (await rest(admin, 'POST', '/folders', folder)).body.id;
  const source = { kind: 'url', name: 'Almanac', uri: 'https://example.org/almanac' };
  const text = 'Alice finds the pricing of the new plan too high.';
  plan = (await storeItem(admin, { title: 'Pricing', text, folderId: folioId, source, tags: ['red'] })).id;
  wicks = (await storeItem(admin, { title: 'Wicks', text: 'The keeper trims the wick of the lamp every evening.' })).id;
  await embedded(admin, plan);
  await embedded(admin, wicks);
});

describe.each(ERAS)('the graph tools in the %s', (era) => {
  let client: ToolClient;
  beforeAll(async () => {
    client = await connect(admin, era);
  });
  afterAll(() => client.close());

  it('[C-06] [C-08] [C-11] gives the same answers under the old name, and lists only the new name', async () => {
    const args = { query: 'what did Alice say about pricing?', k: 5, min_similarity: 0.1 };
    const answer = await client.call('carabase_search_semantic', args);
    const { query, k: limit, min_similarity } = args;
    expect(await client.call('search_semantic', { query, limit, min_similarity })).toEqual(answer);
    const tools = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toContain('carabase_search_semantic');
    expect(names.filter((name) => ['search_semantic', 'query_metadata', 'query_graph'].includes(name))).toEqual([]);
    const { inputSchema } = tools.find(({ name }) => name === 'carabase_search_semantic')!;
    expect(inputSchema).toMatchObject({ required: ['query'], properties: { k: { default: 10 } } });
    const flat = await client.call('query_metadata', { date_after: '2020-01-01', folio_id: folioId });
    const nested = { filters: { date_from: '2020-01-01', folio_id: folioId } };
    expect(flat).toEqual(await client.call('carabase_query_metadata', nested));
  });

  it('[C-07] [C-10] [C-70] finds passages of several artifacts, with provenance and URIs in place of bodies', async () => {
    const { structuredContent } = await client.call('carabase_search_semantic', {
      query: 'the pricing of a lamp',
      min_similarity: 0,
    });
    const hits = structuredContent['hits'] as any[];
    // The commits of the earlier eras are near as well.
    expect(hits.map(({ memory_id }) => memory_id)).toEqual(expect.arrayContaining([plan, wicks]));
    const hit = hits.find(({ memory_id }) => memory_id === plan);
    expect(hit).toMatchObject({
      artifact: `carabase://artifact/${plan}`,
      title: 'Pricing',
      folio_id: folioId,
      provenance: {
        source_kind: 'url',
        source_name: 'Almanac',
        uri: 'https://example.org/almanac',
        folio: 'Night watch',
        position: expect.any(Number),
      },
    });
    expect(hits.map(({ similarity }) => similarity)).toEqual(
      hits.map(({ similarity }) => similarity).sort((a, b) => b - a),
    );
    for (const one of hits) expect([one.text, one.content, one.body]).toEqual([undefined, undefined, undefined]);
  });

  it('[C-19] [C-20] [C-21] queries by folio and by date range, with one argument', async () => {
    const ids = async (filters: object): Promise<string[]> =>
      (await client.call('carabase_query_metadata', { filters })).structuredContent['items'].map(
        ({ memory_id }: any) => memory_id,
      );
    expect(await ids({ folio_id: folioId, kind: 'document' })).toEqual([plan]);
    const { createdAt } = (await rest(admin, 'GET', `/items/${plan}`)).body;
    const day = createdAt.slice(0, 10);
    expect(await ids({ date_from: day, date_to: day, tags: ['red'] })).toEqual([plan]);
    expect(await ids({ date_from: createdAt, tags: ['red'] })).toEqual([plan]);
    expect(await ids({ date_to: createdAt, tags: ['red'] })).toEqual([]);
    expect(await ids({ source: 'almanac' })).toEqual([plan]);
    const { inputSchema } = (await client.listTools()).find(({ name }) => name === 'carabase_query_metadata')!;
    expect(Object.keys(inputSchema.properties)).toEqual(['filters']);
  });

  it('[C-59] [C-60] [C-61] commits prose to a folio by name: one item, n chunks, n vectors', async () => {
    const committed = await client.call('commit_to_folio', { folioName: 'night WATCH', content: PROSE });
    const { commit_id, chunk_count, folio, folio_id } = committed.structuredContent;
    expect([folio, folio_id]).toEqual(['Night watch', folioId]);
    expect(chunk_count).toBeGreaterThan(1);
    await embedded(admin, commit_id);
    const { body } = await rest(admin, 'GET', `/items/${commit_id}`);
    expect(body).toMatchObject({ kind: 'commit', folderId: folioId, content: PROSE, embeddingStatus: 'ready' });
    expect(body.chunks).toHaveLength(chunk_count);
    const found = await client.call('carabase_search_semantic', { query: 'Tides are checked at dusk', k: 50 });
    const chunks = (found.structuredContent['hits'] as any[]).filter(({ memory_id }) => memory_id === commit_id);
    expect(new Set(chunks.map(({ chunk_id }) => chunk_id)).size).toBe(chunk_count);
    const listed = await client.call('carabase_query_metadata', { filters: { folio_id: folioId, kind: 'commit' } });
    expect((listed.structuredContent['items'] as any[]).filter((one) => one.memory_id === commit_id)).toHaveLength(1);
  });

  it('[C-69] [C-71] [C-81] reads a whole artifact and the readme of a folio', async () => {
    const text = 'Alice finds the pricing of the new plan too high.';
    expect(await client.read(`carabase://artifact/${plan}`)).toBe(text);
    expect(await client.read(`folio://${folioId}/readme`)).toBe('# Night watch\n\nNotes of the keepers.');
    const rows = ['city,sales', ...Array.from({ length: 2_000 }, (_, i) => `Oslo,${i}`)].join('\n');
    const { body } = await upload(admin, '/items', ['sales.csv', rows]);
    const { itemId = body.id } = body;
    expect((await client.read(`carabase://artifact/${itemId}?q=city%3DRome`)).trim()).toBe(rows);
    await expect(client.read(`carabase://artifact/${randomUUID()}`)).rejects.toThrow(/not found/i);
  });

  it('[C-72] [C-74] [C-75] ends an empty answer with a hint and a trace, the same each time', async () => {
    const args = { query: 'a submarine under the ice', min_similarity: 1 };
    const [one, two] = [
      await client.call('carabase_search_semantic', args),
      await client.call('carabase_search_semantic', args),
    ];
    expect(trailer(one)).toMatch(TRAILER);
    expect(trailer(two)).toBe(trailer(one));
    expect(one.structuredContent).toMatchObject({ hits: [], hint: { kind: 'semanticNoResults' }, trace: { hits: 0 } });
    const [next] = one.structuredContent['hint'].next;
    expect((await client.call(next.tool, next.arguments)).structuredContent['hits']).not.toEqual([]);
    const empty = await client.call('carabase_query_metadata', { filters: { tags: ['red'], kind: 'clip' } });
    expect(trailer(empty)).toMatch(TRAILER);
    expect(empty.structuredContent).toMatchObject({
      hint: { kind: 'metadataNoResults' },
      trace: { matched: { tags: 1 } },
    });
  });

  it('[C-73] ends every tool error with a hint and a trace', async () => {
    for (const { name } of (await client.listTools()).filter((tool) => /^(carabase_|commit_to)/.test(tool.name))) {
      const refused = await client.call(name, { no_such_argument: 1 });
      expect([name, refused.isError]).toEqual([name, true]);
      expect(trailer(refused)).toMatch(TRAILER);
      expect(refused.structuredContent).toMatchObject({ code: 'input.invalid', hint: { kind: expect.any(String) } });
    }
    const unknown = await client.call('commit_to_folio', { folioName: 'Night wach', content: 'x' });
    expect(unknown.structuredContent).toMatchObject({ code: 'engram.close_matches', retry: false });
    expect(trailer(unknown)).toMatch(TRAILER);
  });
});

describe('a call that fails before its handler', () => {
  const call = (id: number, name: string) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: { query: 'x' } },
  });

  it('[C-73] has a hint if the scope is missing', async () => {
    const token = await newToken(admin, { scopes: ['read'] });
    const { body } = await rpc(token, [
      call(1, 'carabase_search_semantic'),
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
    ]);
    const { result } = (body as any[]).find(({ id }) => id === 1);
    expect(result.structuredContent).toMatchObject({ code: 'scope.missing', hint: { kind: 'missingScope' } });
    expect(result.content.at(-1).text).toMatch(TRAILER);
  });

  it.each(BARE_ERAS)('[C-73] has a hint if the hourly calls are used up, in the %s', async (era) => {
    const token = await newToken(admin, { scopes: ['graph:read'], rateLimitPerHour: 1 });
    const ask = async () => (await BARE_CALLS[era]!(token, 'search_semantic', { query: 'x' })).body.result;
    const answers = [await ask(), await ask(), await ask()];
    const limited = answers.at(-1);
    expect(limited.structuredContent).toMatchObject({ code: 'rate_limited', hint: { kind: 'rateLimited' } });
    expect(limited.content.at(-1).text).toMatch(TRAILER);
  });
});
