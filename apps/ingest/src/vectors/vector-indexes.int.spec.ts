import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { VECTOR_DIMENSIONS } from '@cairn/contracts';
import { ALWAYS_OURS } from '@cairn/op-log';
import { SeededLibrary, TEST_MODEL } from '@cairn/projections/testing';
import { EXACT_CHUNKS_MAX, indexedVectors, installRanking, vectorsOf } from '@cairn/ranking';
import { VectorIndexes } from './vector-indexes.js';

const CHUNKS = EXACT_CHUNKS_MAX + 1_000;

let library: SeededLibrary;
let large: string;
let folderId: string;
let small: string;
let warnings: unknown[];

const workspaceOf = async (count: number) => {
  const workspaceId = await library.workspace();
  const folder = await library.folder({ workspaceId });
  await library.fill({ workspaceId, folderId: folder }, count);
  return { workspaceId, folder };
};

beforeAll(async () => {
  library = await SeededLibrary.start();
  await installRanking(library.pool);
  ({ workspaceId: large, folder: folderId } = await workspaceOf(CHUNKS));
  ({ workspaceId: small } = await workspaceOf(100));
}, 120_000);
afterAll(() => library.stop());
beforeEach(() => {
  warnings = [];
});

const check = (residentMb: number): Promise<void> => {
  const logger = { info: () => undefined, warn: (entry: object) => warnings.push(entry) };
  return new VectorIndexes({ pool: library.pool, residentMb, logger, turn: ALWAYS_OURS }).check();
};
const indexesOf = async (workspaceId: string): Promise<string[]> =>
  (await vectorsOf(library.pool, workspaceId)).map(({ index }) => index);

describe('the indexes of vectors', () => {
  it('are not built while the vectors of every workspace fit in the memory of search', async () => {
    await check(64);
    expect([await indexedVectors(library.pool), warnings]).toEqual([[], []]);
  });

  it('are built for each workspace and model that does not fit, and for no other', async () => {
    const chunks = [{ text: 'x', vector: new Float32Array(VECTOR_DIMENSIONS).fill(1), model: 'another' }];
    await library.item({ workspaceId: large, folderId, chunks });
    await check(1);
    expect((await indexedVectors(library.pool)).sort()).toEqual((await indexesOf(large)).sort());
    expect((await vectorsOf(library.pool, large)).map(({ model }) => model)).toEqual(['another', TEST_MODEL]);
    expect(await indexesOf(small)).toHaveLength(1);
    await check(1);
    expect(warnings).toEqual([]);
  }, 120_000);

  it('accept vectors of another length, which they leave out', async () => {
    await library.item({
      workspaceId: large,
      folderId,
      chunks: [{ text: 'y', vector: new Float32Array(384).fill(2) }],
    });
    await library.pool.query(
      `update vectors.embeddings set embedding = '[1,2,3]' where workspace_id = $1 and seq = (
         select min(seq) from vectors.embeddings where workspace_id = $1 and model = $2)`,
      [large, TEST_MODEL],
    );
    expect(await indexedVectors(library.pool)).toHaveLength(2);
  });

  it('stay until the vectors are far below the limit', async () => {
    await check(2);
    expect(await indexedVectors(library.pool)).toHaveLength(2);
    await check(64);
    expect(await indexedVectors(library.pool)).toEqual([]);
  });

  it('are left as they are if the database cannot be read', async () => {
    const pool = { query: () => Promise.reject(new Error('connection lost')) };
    const logger = { info: () => undefined, warn: (entry: object) => warnings.push(entry) };
    await new VectorIndexes({ pool: pool as never, residentMb: 0, logger, turn: ALWAYS_OURS }).check();
    expect(warnings).toHaveLength(1);
  });
});
