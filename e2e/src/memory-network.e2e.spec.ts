import { beforeAll, describe, expect, it } from '@jest/globals';
import { LINK_TYPES } from '@cairn/contracts';
import { productTools } from './scope-matrix.js';
import { BARE_CALLS, BARE_ERAS, connect, newWorkspace, rest, storeItem } from './under-test.js';

const TOOL = 'carabase_traverse_memory_network';

let admin: string;
let ids: string[];

const store = async (title: string): Promise<string> => (await storeItem(admin, { title, text: `${title}.` })).id;
const link = (links: readonly (readonly [from: string, to: string, type: string, confidence?: number])[]) =>
  rest(admin, 'POST', '/links', {
    links: links.map(([fromItemId, toItemId, type, confidence]) => ({
      fromItemId,
      toItemId,
      type,
      ...(confidence !== undefined && { confidence }),
    })),
  });

beforeAll(async () => {
  admin = (await newWorkspace()).token;
  ids = [];
  for (const title of ['A', 'B', 'C', 'D', 'E']) ids.push(await store(title));
  const [a, b, c, d] = ids as [string, string, string, string];
  await link([
    [a, b, 'supports', 0.69],
    [b, c, 'causes', 0.7],
    [c, d, 'related'],
  ]);
}, 60_000);

describe('links over REST', () => {
  it('are answered with their ids, and a repeat returns the same ids', async () => {
    const links = [[ids[0]!, ids[4]!, 'elaborates']] as const;
    const first = await link(links);
    expect([first.status, Object.keys(first.body).sort()]).toEqual([201, ['linkIds', 'position']]);
    const again = await link(links);
    expect([again.status, again.body.linkIds]).toEqual([201, first.body.linkIds]);
    expect(again.body.position).toBe(first.body.position);
    const { body } = await rest(admin, 'GET', `/items/${ids[4]!}/links`);
    expect(body).toEqual({
      items: [
        {
          id: first.body.linkIds[0],
          fromItemId: ids[0],
          toItemId: ids[4],
          type: 'elaborates',
          confidence: 1,
          sourceKind: 'extracted',
          direction: 'in',
        },
      ],
      nextCursor: null,
    });
    expect((await rest(admin, 'DELETE', `/links/${first.body.linkIds[0]}`)).status).toBe(204);
    expect((await rest(admin, 'DELETE', `/links/${first.body.linkIds[0]}`)).status).toBe(404);
    expect((await rest(admin, 'GET', `/items/${ids[4]!}/links`)).body.items).toEqual([]);
  });

  it.each([
    ['supersedes', 'link.use_supersede', /use supersede_knowledge/],
    ['likes', 'input.invalid', /must be one of supports, contradicts, (?!.*supersedes)/],
  ])('of type %s are rejected', async (type, code, message) => {
    const { status, body } = await link([[ids[0]!, ids[1]!, type]]);
    expect([status, body.error.code]).toEqual([400, code]);
    expect(body.error.message).toMatch(message);
  });

  it('of an item to itself, and more than 500, are rejected', async () => {
    expect((await link([[ids[0]!, ids[0]!, 'related']])).body.error.code).toBe('link.to_itself');
    const many = Array.from({ length: 501 }, () => [ids[0]!, ids[1]!, 'related'] as const);
    const { status, body } = await link(many);
    expect([status, body.error.field, body.error.limit]).toEqual([400, 'links', 500]);
  });
});

describe.each(BARE_ERAS)('the memory network in the %s', (era) => {
  const walk = async (args: object) => {
    const { body } = await BARE_CALLS[era]!(admin, TOOL, args);
    return { ...body.result, text: body.result.content[0].text as string };
  };
  const titles = async (args: object): Promise<string[]> =>
    (await walk(args)).structuredContent.memories.map(({ title }: { title: string }) => title);

  it('[C-44] [C-48] ranks by the stationary distribution, up to limit', async () => {
    const { structuredContent, text } = await walk({ anchor: [ids[0]], depth: 3 });
    const scores = structuredContent.memories.map(({ score }: { score: number }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores.reduce((sum: number, score: number) => sum + score, 0)).toBeCloseTo(1, 6);
    expect(structuredContent.memories).toHaveLength(4);
    expect(await titles({ anchor: [ids[0]], depth: 3, limit: 2 })).toHaveLength(2);
    expect(text).toMatch(/^\[trace: mode=pagerank iter=\d+ converged=true nodes=4 links=3\]\n/);
  });

  it('[C-45] rejects a keyword as anchor, and names the tool to call instead', async () => {
    const { isError, structuredContent, content } = await walk({ anchor: ['pricing'] });
    expect([isError, structuredContent.code, structuredContent.hint.kind]).toEqual([
      true,
      'input.invalid',
      'traverseNotUuid',
    ]);
    expect(content.at(-1).text).toMatch(/^\[hint: .*carabase_search_semantic/);
  });

  it('[C-46] [C-47] walks only links of the given types, from the given confidence upwards', async () => {
    expect(await titles({ anchor: [ids[1]], depth: 1, link_types: ['causes'] })).toEqual(
      expect.arrayContaining(['B', 'C']),
    );
    expect(await titles({ anchor: [ids[1]], depth: 1, link_types: ['causes'] })).toHaveLength(2);
    expect((await titles({ anchor: [ids[1]], depth: 1, min_confidence: 0.7 })).sort()).toEqual(['B', 'C']);
    const refused = await walk({ anchor: [ids[1]], link_types: ['likes'] });
    expect([refused.isError, refused.structuredContent.field]).toEqual([true, 'link_types[0]']);
  });

  it('[C-49] has three modes', async () => {
    expect(await titles({ anchor: [ids[0], ids[3]], mode: 'shortest_path' })).toEqual(['A', 'B', 'C', 'D']);
    expect(await titles({ anchor: [ids[1]], mode: 'neighbours', depth: 1 })).toEqual(['B', 'C', 'A']);
    expect((await walk({ anchor: [ids[1]], mode: 'other' })).isError).toBe(true);
  });

  it.each([0, 4])('[C-50] rejects depth %s', async (depth) => {
    const { isError, structuredContent } = await walk({ anchor: [ids[0]], depth });
    expect([isError, structuredContent.field]).toEqual([true, 'depth']);
  });
});

describe('a network above the cap', () => {
  it('[C-51] [C-52] is ordered by hops, and the trace reports the fallback', async () => {
    const own: string[] = [];
    for (let n = 0; n < 49; n++) own.push(await store(`N${n}`));
    const types = LINK_TYPES.filter((type) => type !== 'supersedes');
    const links = own.flatMap((from) =>
      own.filter((to) => to !== from).flatMap((to) => types.map((type) => [from, to, type] as const)),
    );
    expect(links.length).toBeGreaterThan(20_000);
    for (let n = 0; n < links.length; n += 500) expect((await link(links.slice(n, n + 500))).status).toBe(201);
    const client = await connect(admin, 'HTTP+SSE');
    const answer = await client.call(TOOL, { anchor: [own[0]!], depth: 3 });
    await client.close();
    expect(answer.structuredContent['trace']).toMatchObject({
      iter: 0,
      converged: false,
      fallback: 'bfs',
      links: 20_000,
    });
    expect(answer.structuredContent['memories']).toHaveLength(10);
    expect(answer.content[0]!.text).toMatch(/^\[trace: mode=pagerank iter=0 converged=false fallback=bfs /);
  }, 120_000);
});

describe('memories whose source is purged', () => {
  it('[C-53] end with the note, unless one source is left', async () => {
    const [memory, other, source, kept] = [await store('M'), await store('O'), await store('S'), await store('K')];
    await link([
      [memory, other, 'related'],
      [memory, source, 'derived_from'],
      [other, source, 'derived_from'],
    ]);
    await rest(admin, 'DELETE', `/items/${source}`);
    const lastLine = async () => {
      const { body } = await BARE_CALLS[BARE_ERAS[0]!]!(admin, TOOL, { anchor: [memory] });
      return body.result.content[0].text.split('\n').at(-1);
    };
    expect(await lastLine()).toMatch(/^\[mesh-tier\] /);
    await link([[other, kept, 'derived_from']]);
    expect(await lastLine()).not.toMatch(/mesh-tier/);
  });
});

describe('carabase_attach_file over the network', () => {
  const ATTACH = 'carabase_attach_file';
  const args = { file_name: 'a.txt', content_base64: 'YQ==' };

  it.each(BARE_ERAS)('[C-63] is answered like an unknown tool in the %s', async (era) => {
    const call = async (name: string) => {
      const { status, body } = await BARE_CALLS[era]!(admin, name, args);
      return [
        status,
        JSON.stringify(body)
          .replaceAll(name, '<tool>')
          .replace(/[0-9a-f-]{36}/g, '<id>'),
      ];
    };
    expect(await call(ATTACH)).toEqual(await call('carabase_no_such_tool'));
  });

  it('[C-63] is neither listed nor callable over /mcp/sse', async () => {
    const client = await connect(admin, 'HTTP+SSE');
    const outcome = (name: string) => client.call(name, args).then(JSON.stringify, (error: Error) => error.message);
    const [attach, unknown] = [await outcome(ATTACH), await outcome('carabase_no_such_tool')];
    await client.close();
    const plain = (text: string, name: string) => text.replaceAll(name, '<tool>').replace(/[0-9a-f-]{36}/g, '<id>');
    expect(plain(attach, ATTACH)).toBe(plain(unknown, 'carabase_no_such_tool'));
  });

  it('[C-63] is in no list of tools', async () => {
    expect(await productTools()).not.toContain(ATTACH);
  });

  it('[C-62] leaves POST /log-cards to prepare a run', async () => {
    const { status, body } = await rest(admin, 'POST', '/log-cards', { title: 'Run', text: 'What it is about.' });
    expect(status).toBe(201);
    expect((await rest(admin, 'GET', `/items/${body.id}`)).body).toMatchObject({ kind: 'log-card', title: 'Run' });
  });
});
