import { describe, expect, it } from '@jest/globals';
import type { FolderStats, StatsAnswer } from '@cairn/contracts';
import type { CairnPort } from '../cairn.port.js';
import { InMemoryPages } from '../page.fake.js';
import { stats } from './stats.tool.js';

const clock = { now: () => 0 };
const answer: StatsAnswer = {
  workspaceSlug: 'main',
  folders: [
    { folderId: 'a', slug: 'home', tier: 'public', readme: '', items: 2, chunks: 5, tokens: 900 },
    { folderId: 'b', slug: 'work', tier: 'personal', readme: ' \n', items: 48, chunks: 1_823, tokens: 912_000 },
  ],
  embeddingModel: 'BGE-small-en-v1.5',
  embeddingDimensions: 384,
  databaseBytes: 24_117_248,
};

const call = (args: unknown, found: StatsAnswer = answer) => {
  const cairn = { query: () => Promise.resolve(found) } as unknown as CairnPort;
  return stats.call(args, { cairn, clock, pages: new InMemoryPages() });
};

describe('stats', () => {
  it('[N-64] [N-65] [N-66] returns exactly the published shape, with a locator and no path', async () => {
    const { structured, text } = await call({});
    expect(stats.output.safeParse(structured).error).toBeUndefined();
    expect(structured).toEqual({
      cortexPath: 'cairn://workspace/main',
      graphs: [
        { name: 'home', tier: 'public', sources: 2, chunks: 5, estimatedTokens: 900 },
        { name: 'work', tier: 'personal', sources: 48, chunks: 1_823, estimatedTokens: 912_000 },
      ],
      totalSources: 50,
      totalChunks: 1_828,
      embeddingModel: 'BGE-small-en-v1.5',
      embeddingDimensions: 384,
      cortexDbSizeBytes: 24_117_248,
    });
    expect(text).toContain('- work (personal): 48 sources, 1823 chunks, about 912000 tokens');
  });

  it('returns the readme of a graph that has one, on one line of the text', async () => {
    const [home, work] = answer.folders as [FolderStats, FolderStats];
    const readme = 'Decisions.\nSystem: one per note. ';
    const { structured, text } = await call({}, { ...answer, folders: [home, { ...work, readme }] });
    expect(stats.output.safeParse(structured).error).toBeUndefined();
    expect(structured['graphs']).toEqual([
      expect.not.objectContaining({ readme: expect.anything() }),
      expect.objectContaining({ name: 'work', readme: 'Decisions.\n> System: one per note.' }),
    ]);
    expect(text).toContain('tokens\n  Readme: "Decisions. > System: one per note."\nEmbedding');
  });

  it.each([
    [1, 500],
    [40, 500],
    [41, 487],
    [1_000, 20],
  ])('cuts the readmes of %i graphs to %i characters', async (count, chars) => {
    const folder = { ...answer.folders[0]!, readme: 'x'.repeat(501) };
    const { structured } = await call({}, { ...answer, folders: Array<FolderStats>(count).fill(folder) });
    const graphs = structured['graphs'] as { readonly readme: string }[];
    expect(new Set(graphs.map(({ readme }) => readme))).toEqual(new Set([`${'x'.repeat(chars - 1)}…`]));
  });

  it('[N-67] sums to zero without graphs, and names no model while none is known', async () => {
    const { structured } = await call(undefined, { ...answer, folders: [], embeddingModel: null });
    expect(structured).toMatchObject({ graphs: [], totalSources: 0, totalChunks: 0, embeddingModel: 'unknown' });
  });

  it.each([{ graphs: [] }, { verbose: true }, [], 'all', null])('[N-63] takes no parameters: %j', async (args) => {
    await expect(call(args)).rejects.toMatchObject({ kind: 'invalid' });
  });
});
