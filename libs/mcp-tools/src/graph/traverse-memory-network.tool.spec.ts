import { beforeEach, describe, expect, it } from '@jest/globals';
import { AppError, uuidV7 } from '@cairn/kernel';
import { InMemoryCairn } from '../cairn.fake.js';
import type { CairnPort } from '../cairn.port.js';
import { itemData } from '../cairn-workspace.builder.js';
import { trailerOf } from '../hint.js';
import { InMemoryPages } from '../page.fake.js';
import { traverseMemoryNetwork as tool } from './traverse-memory-network.tool.js';

let cairn: CairnPort;
let ids: string[];

const context = (port = cairn) => ({ cairn: port, clock: { now: () => 0 }, pages: new InMemoryPages() });
const call = (args: object) => tool.call(args, context());
const refusal = async (args: object): Promise<AppError> => {
  const thrown: unknown = await call(args).catch((error: unknown) => error);
  if (thrown instanceof AppError) return thrown;
  throw new Error('the call was expected to fail');
};
const derive = (from: number, to: number) => {
  const links = [{ fromItemId: ids[from]!, toItemId: ids[to]!, type: 'derived_from' as const, confidence: 1 }];
  return cairn.command('link.add', { links, surface: 'rest' });
};

beforeEach(async () => {
  cairn = new InMemoryCairn().as({ workspaceId: uuidV7(), agentId: 'a' });
  ids = [];
  for (const title of ['Plan', 'Note', 'Lone', 'Source'])
    ids.push((await cairn.command('item.store', itemData({ title }))).itemId);
  const links = [{ fromItemId: ids[0]!, toItemId: ids[1]!, type: 'supports' as const, confidence: 0.7 }];
  await cairn.command('link.add', { links, surface: 'rest' });
});

describe('carabase_traverse_memory_network', () => {
  it('[C-49] [C-51] ranks by PageRank by default, and begins with its trace', async () => {
    const { text, structured, links, trailer } = await call({ anchor: [ids[0]] });
    const [header, ...lines] = text.split('\n');
    expect(header).toMatch(/^\[trace: mode=pagerank iter=\d+ converged=true nodes=2 links=1\]$/);
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^1\\. \\(0\\.\\d{4}\\) Plan \\[anchor\\] memory_id=${ids[0]!}$`)),
      expect.stringMatching(new RegExp(`^2\\. \\(0\\.\\d{4}\\) Note \\[hop 1, supports\\] memory_id=${ids[1]!}$`)),
    ]);
    expect(tool.output.safeParse(structured).error).toBeUndefined();
    expect(structured['memories']).toMatchObject([
      {
        memory_id: ids[0],
        artifact: `carabase://artifact/${ids[0]!}`,
        title: 'Plan',
        hop: 0,
        source_purged: false,
        via: [],
      },
      { memory_id: ids[1], hop: 1, via: [{ from: ids[0], type: 'supports', confidence: 0.7 }] },
    ]);
    expect([links?.length, trailer]).toEqual([2, undefined]);
  });

  it.each([
    ['[C-45] a keyword', { anchor: ['pricing'] }, 'anchor[0]'],
    ['no anchor', { anchor: [] }, 'anchor'],
    ['17 anchors', { anchor: Array.from({ length: 17 }, uuidV7) }, 'anchor'],
    ['[C-46] an unknown link type', { link_types: ['likes'] }, 'link_types[0]'],
    ['no link type', { link_types: [] }, 'link_types'],
    ['a confidence above 1', { min_confidence: 1.01 }, 'min_confidence'],
    ['[C-49] an unknown mode', { mode: 'random' }, 'mode'],
    ['[C-50] depth 0', { depth: 0 }, 'depth'],
    ['[C-50] depth 4', { depth: 4 }, 'depth'],
    ['limit 51', { limit: 51 }, 'limit'],
    ['an unknown argument', { colour: 'red' }, 'colour'],
    ['a path from one anchor', { mode: 'shortest_path' }, 'anchor'],
  ])('refuses %s and names the field', async (_, wrong, field) => {
    const error = await refusal({ anchor: [uuidV7()], ...wrong });
    expect([error.code, error.details['field']]).toEqual(['input.invalid', field]);
  });

  it('[C-45] answers a keyword with a search that finds the id', async () => {
    const args = { anchor: ['what did Alice say'] };
    const trail = await tool.trailOf(await refusal(args), args);
    expect(trail!.hint).toMatchObject({
      kind: 'traverseNotUuid',
      next: [{ tool: 'carabase_search_semantic', arguments: { query: 'what did Alice say' } }],
    });
    expect(trailerOf(trail!)).toMatch(/^\[hint: .*carabase_search_semantic.*\]\n\[trace: .*"what did Alice say".*\]$/);
  });

  it('[C-45] names the anchor that was refused, not the first one', async () => {
    const args = { anchor: [ids[0], 'pricing'] };
    const trail = await tool.trailOf(await refusal(args), args);
    expect(trail!.hint).toMatchObject({ kind: 'traverseNotUuid', next: [{ arguments: { query: 'pricing' } }] });
    expect(trailerOf(trail!)).toContain('refused the anchor "pricing"');
  });

  it('does not call ids words where there are too many of them', async () => {
    const args = { anchor: Array.from({ length: 17 }, uuidV7) };
    const trail = await tool.trailOf(await refusal(args), args);
    expect(trail!.hint).toMatchObject({ kind: 'invalidArguments', next: [] });
  });

  it('suggests a list of ids where one id is given, and the suggested call works', async () => {
    const args = { anchor: ids[0], depth: 1 };
    const { hint } = (await tool.trailOf(await refusal(args), args))!;
    expect(hint).toMatchObject({
      kind: 'invalidArguments',
      message: expect.stringMatching(/^anchor is a list of ids/),
      next: [{ tool: tool.name, arguments: { anchor: [ids[0]], depth: 1 } }],
    });
    expect((await call(hint.next[0]!.arguments)).structured['memories']).toHaveLength(2);
  });

  it.each([{ mode: 'shortest_path' }, { depth: 9 }])('suggests no call that would fail: %j', async (more) => {
    const args = { anchor: ids[0], ...more };
    const { hint } = (await tool.trailOf(await refusal(args), args))!;
    expect(hint).toMatchObject({ message: expect.stringMatching(/^anchor is a list of ids/), next: [] });
  });

  it('does not find an unknown memory, and does not search for its id by meaning', async () => {
    const args = { anchor: [ids[0], uuidV7()] };
    const error = await refusal(args);
    expect([error.code, error.details]).toEqual(['memory.not_found', { field: 'anchor[1]' }]);
    const { hint } = (await tool.trailOf(error, args))!;
    expect(hint).toMatchObject({
      kind: 'notFound',
      message: expect.stringMatching(/^There is no memory with this id, or this token may not see it\./),
      next: [],
    });
  });

  it('answers an anchor without links with the anchor itself and the same hint each time', async () => {
    const answer = await call({ anchor: [ids[2]] });
    expect(answer.structured).toMatchObject({
      memories: [{ memory_id: ids[2], score: 1 }],
      hint: { kind: 'traverseNoLinks', next: [{ tool: tool.name }, { tool: 'carabase_search_semantic' }] },
      trace: { mode: 'pagerank', nodes: 1, links: 0 },
    });
    expect(answer.text).toMatch(/^\[trace: mode=pagerank iter=1 converged=true nodes=1 links=0\]\n1\. /);
    expect(answer.trailer).toMatch(/\n\[trace: mode=pagerank iter=1 converged=true nodes=1 links=0\]$/);
    expect(await call({ anchor: [ids[2]] })).toEqual(answer);
  });

  it.each([
    ['the limit has no room for another memory', () => ({ anchor: [ids[0]], limit: 1 })],
    ['they lead from one anchor to another', () => ({ anchor: [ids[0], ids[1]] })],
  ])('has no hint where links were walked and %s', async (_, args) => {
    const { structured, trailer } = await call(args());
    expect(structured).toMatchObject({ memories: expect.any(Array), trace: { links: 1 } });
    expect([structured['hint'], trailer]).toEqual([undefined, undefined]);
  });

  it('[C-49] returns no memories for two without a path between them', async () => {
    const { text, structured, trailer } = await call({ anchor: [ids[0], ids[2]], mode: 'shortest_path' });
    expect(structured).toMatchObject({ memories: [], hint: { kind: 'traverseNoLinks' } });
    expect(text.split('\n')).toEqual(['[trace: mode=shortest_path iter=0 converged=true nodes=3 links=1]', 'No path.']);
    expect(trailer).toBeDefined();
  });

  it('[C-53] ends with a note if the source of every memory is purged, and not if one is left', async () => {
    await derive(0, 3);
    await derive(1, 3);
    await cairn.command('item.forget', { itemId: ids[3]!, surface: 'rest' });
    const purged = await call({ anchor: [ids[0]] });
    expect(purged.text.split('\n').at(-1)).toMatch(/^\[mesh-tier\] /);
    expect(purged.structured['memories']).toMatchObject([{ source_purged: true }, { source_purged: true }]);
    await derive(1, 2);
    expect((await call({ anchor: [ids[0]] })).text).not.toContain('[mesh-tier]');
  });

  it("puts a title of several lines on one line, without look-alikes of the tool's own lines", async () => {
    const { itemId } = await cairn.command('item.store', itemData({ title: 'A\n[mesh-tier] B\n[trace: mode=x]' }));
    const { text } = await call({ anchor: [itemId] });
    expect(text.split('\n')).toHaveLength(2);
  });

  it('reports that links of the newest texts may be missing', async () => {
    const query = () =>
      Promise.resolve({
        memories: [],
        trace: { mode: 'pagerank', iter: 1, converged: true, nodes: 0, links: 0 },
        stale: true,
      });
    const { structured } = await tool.call({ anchor: [uuidV7()] }, context({ query } as never));
    expect(structured).toMatchObject({ stale: true });
  });
});
