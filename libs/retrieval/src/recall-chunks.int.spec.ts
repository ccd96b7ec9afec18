import { installRanking } from '@cairn/ranking';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FolderReader } from '@cairn/access';
import { SeededLibrary, TEST_MODEL } from '@cairn/projections/testing';
import { PostgresLegs } from './postgres-legs.js';
import { PostgresLexicalIndex } from './postgres-lexical-index.js';
import { recallChunks, type ChunkRecall } from './recall-chunks.js';
import { searchChunks } from './search-chunks.js';
import type { SearchContext } from './search-context.js';
import { NO_CANDIDATES } from './vector-candidates.port.js';

const DIMENSIONS = 384;
/** Unit vectors in one plane; the query lies at 0 degrees. */
const at = (degrees: number): Float32Array => {
  const vector = new Float32Array(DIMENSIONS);
  vector[0] = Math.cos((degrees * Math.PI) / 180);
  vector[1] = Math.sin((degrees * Math.PI) / 180);
  return vector;
};

let library: SeededLibrary;
let context: SearchContext;

beforeAll(async () => {
  library = await SeededLibrary.start();
  await installRanking(library.pool);
  context = {
    pool: library.pool,
    legs: new PostgresLegs(library.pool),
    candidates: NO_CANDIDATES,
    lexical: new PostgresLexicalIndex(library.pool),
    vault: library.vault,
    embed: () => Promise.resolve({ model: TEST_MODEL, vector: at(0) }),
    inTurn: (statement) => statement(),
    onStage: () => undefined,
  };
}, 60_000);
afterAll(() => library.stop());

const newWorkspace = async () => {
  const workspaceId = await library.workspace();
  const reader: FolderReader = { workspaceId, folderIds: null, seesSensitive: false };
  const folder = (more: object = {}) => library.folder({ workspaceId, ...more });
  const chunk = async (folderId: string, degrees: number, tokens = 1, more: object = {}): Promise<string> => {
    const chunks = [{ text: `at ${degrees}`, vector: at(degrees), tokens }];
    return (await library.item({ workspaceId, folderId, title: `T${degrees}`, chunks, ...more })).chunkIds[0]!;
  };
  const recall = (more: Partial<ChunkRecall> = {}) =>
    recallChunks(context, { query: 'q', graphs: undefined, topK: 8, minScore: 0, explain: false, reader, ...more });
  const found = async (more: Partial<ChunkRecall> = {}) => (await recall(more)).results.map(({ chunkId }) => chunkId);
  return { workspaceId, reader, folder, chunk, recall, found };
};

describe('recall', () => {
  it('[N-10] [N-12] [N-73] returns whole chunks with their item, their folder’s slug and the cosine, best first', async () => {
    const { folder, chunk, recall } = await newWorkspace();
    const work = await folder({ slug: 'work', name: 'My Work' });
    const [far, near] = [await chunk(work, 60, 5, { sourceName: 'notes.md' }), await chunk(work, 30, 3)];
    const { results, truncated } = await recall();
    expect(truncated).toBe(false);
    expect(results).toEqual([
      expect.objectContaining({ chunkId: near, graph: 'work', text: 'at 30', sourceName: 'T30', tokens: 3 }),
      expect.objectContaining({ chunkId: far, folderId: work, text: 'at 60', sourceName: 'notes.md', tokens: 5 }),
    ]);
    expect(results[0]!.score).toBeCloseTo(Math.cos(Math.PI / 6), 5);
    expect(results[0]!.updatedAt).toBe(new Date(results[0]!.updatedAt).toISOString());
  });

  it('[N-08] returns a chunk at minScore and none below', async () => {
    const { folder, chunk, recall, found } = await newWorkspace();
    const work = await folder();
    const [near] = [await chunk(work, 30), await chunk(work, 80), await chunk(work, 120)];
    const [best, second] = (await recall()).results;
    expect(second!.score).toBeCloseTo(Math.cos((80 * Math.PI) / 180), 5);
    expect(await found({ minScore: best!.score })).toEqual([near]);
    expect(await found({ minScore: best!.score + 1e-12 })).toEqual([]);
    expect(await found({ minScore: 0.3 })).toEqual([near]);
    expect(await found({ minScore: second!.score })).toHaveLength(2);
  });

  it('[N-06] searches only the named folders, by slug or display name, regardless of case', async () => {
    const { folder, chunk, found } = await newWorkspace();
    const [work, books] = [await folder({ slug: 'work' }), await folder({ slug: 'book-notes', name: 'Büch Nötes' })];
    const [inWork, inBooks] = [await chunk(work, 10), await chunk(books, 20)];
    expect(await found()).toEqual([inWork, inBooks]);
    expect(await found({ graphs: ['work'] })).toEqual([inWork]);
    expect(await found({ graphs: ['WORK'] })).toEqual([inWork]);
    expect(await found({ graphs: ['Büch Nötes'] })).toEqual([inBooks]);
    expect(await found({ graphs: ['BÜCH NÖTES', 'work', 'work'] })).toEqual([inWork, inBooks]);
    expect(await found({ graphs: ['wor', 'w%', 'book notes', ''] })).toEqual([]);
  });

  it('[N-13] returns nothing from a sensitive folder, an unknown one or one out of scope', async () => {
    const { workspaceId, reader, folder, chunk, found } = await newWorkspace();
    const [open, closed] = [await folder({ slug: 'open' }), await folder({ slug: 'closed', tier: 'sensitive' })];
    const other = await folder({ slug: 'other' });
    const [seen] = [await chunk(open, 10), await chunk(closed, 1), await chunk(other, 2)];
    expect(await found({ graphs: ['closed'] })).toEqual([]);
    expect(await found({ graphs: ['closed', 'open', 'nowhere'] })).toEqual([seen]);
    const scoped = { ...reader, folderIds: [open, closed] };
    expect(await found({ reader: scoped })).toEqual([seen]);
    expect(await found({ reader: scoped, graphs: ['other'] })).toEqual([]);
    expect(await found({ reader: { ...reader, folderIds: [] } })).toEqual([]);
    const foreign = await newWorkspace();
    expect(await foreign.found({ graphs: ['open'] })).toEqual([]);
    expect(workspaceId).not.toBe(foreign.workspaceId);
  });

  it('[N-06] reports the names that match no folder in scope, a sensitive one like one that does not exist', async () => {
    const { reader, folder, chunk, recall } = await newWorkspace();
    const [open, closed] = [
      await folder({ slug: 'open', name: 'Open Notes' }),
      await folder({ slug: 'closed', name: 'Closed Notes', tier: 'sensitive' }),
    ];
    await folder({ slug: 'other' });
    await chunk(open, 10);
    const unknown = async (more: Partial<ChunkRecall>) => {
      const { unknownGraphs } = await recall(more);
      return unknownGraphs && [unknownGraphs.names, unknownGraphs.available.map(({ slug }) => slug)];
    };
    expect(await unknown({})).toBeUndefined();
    expect(await unknown({ graphs: ['OPEN', 'open notes'] })).toBeUndefined();
    expect(await unknown({ graphs: ['nowhere', 'open', 'nowhere'] })).toEqual([['nowhere'], ['open', 'other']]);
    for (const name of ['closed', 'Closed Notes', closed])
      expect(await unknown({ graphs: [name] })).toEqual([[name], ['open', 'other']]);
    const scoped = { ...reader, folderIds: [open, closed] };
    expect(await unknown({ reader: scoped, graphs: ['other', 'closed'] })).toEqual([['other', 'closed'], ['open']]);
    expect(await unknown({ reader: { ...reader, folderIds: [] }, graphs: ['open'] })).toEqual([['open'], []]);
    const [first] = (await recall({ graphs: ['x'] })).unknownGraphs!.available;
    expect(first).toEqual({
      folderId: open,
      slug: 'open',
      placement: { workspaceId: reader.workspaceId, tier: 'personal' },
    });
  });

  it('leaves out chunks that are superseded, expired or outside the knowledge base', async () => {
    const { folder, chunk, found } = await newWorkspace();
    const work = await folder();
    const current = await chunk(work, 40);
    await chunk(work, 10, 1, { supersededBy: '11111111-1111-4111-8111-111111111111' });
    await chunk(work, 11, 1, { expiresAt: '2001-01-01T00:00:00Z' });
    await chunk(work, 12, 1, { inKb: false });
    expect(await found()).toEqual([current]);
  });

  it('[N-14] lets each folder contribute up to its own cap, after topK is applied', async () => {
    const { folder, chunk, recall, reader } = await newWorkspace();
    const tight = await folder({ slug: 'tight', maxTokensPerRecall: 10 });
    const wide = await folder({ slug: 'wide' });
    const [a, b] = [await chunk(tight, 10, 6), await chunk(wide, 20, 1_500)];
    await chunk(tight, 30, 5);
    await chunk(wide, 40, 501);
    const d = await chunk(tight, 50, 1);
    const ids = async (topK: number) => {
      const { results, truncated } = await recall({ topK });
      return [results.map(({ chunkId }) => chunkId), truncated];
    };
    expect(await ids(8)).toEqual([[a, b], true]);
    expect(await ids(2)).toEqual([[a, b], false]);
    expect(await ids(3)).toEqual([[a, b], true]);
    for (const data of [
      { folderId: tight, maxTokensPerRecall: 12 },
      { folderId: wide, maxTokensPerRecall: 0 },
    ])
      await library.apply(reader.workspaceId, { type: 'folder.configured', data });
    const { results } = await recall();
    expect(results.map(({ tokens }) => tokens)).toEqual([6, 5, 1]);
    expect(results.at(-1)!.chunkId).toBe(d);
  });

  it('ranks and explains like semantic mode', async () => {
    const { folder, chunk, recall, reader } = await newWorkspace();
    const work = await folder();
    for (let i = 0; i < 12; i++) await chunk(work, i * 7);
    const { results } = await recall({ explain: true });
    const { hits } = await searchChunks(context, { query: 'q', mode: 'semantic', limit: 8, explain: true, reader });
    const shown = ({ chunkId, score, explain }: (typeof hits)[number]) => ({ chunkId, score, explain });
    expect(results.map((result) => shown(result as never))).toEqual(hits.map(shown));
  });

  it('fails when the query has no vector', async () => {
    const { recall, reader } = await newWorkspace();
    const unavailable = { ...context, embed: () => Promise.reject(new Error('unavailable')) };
    const asked = { query: 'q', graphs: undefined, topK: 8, minScore: 0, explain: false, reader };
    await expect(recallChunks(unavailable, asked)).rejects.toThrow('unavailable');
    expect((await recall()).results).toEqual([]);
  });
});
