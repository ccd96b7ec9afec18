import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FolderReader } from '@cairn/access';
import { SeededLibrary, TEST_MODEL } from '@cairn/projections/testing';
import { installRanking } from '@cairn/ranking';
import { PostgresLegs } from './postgres-legs.js';
import type { SearchContext } from './search-context.js';
import { searchSemantic } from './search-semantic.js';
import { NO_CANDIDATES } from './vector-candidates.port.js';

const DIMENSIONS = 384;

/** Not of unit length, so that a dot product would give a wrong result. */
const vectorOf = (seed: number): Float32Array =>
  Float32Array.from({ length: DIMENSIONS }, (_, i) => Math.sin(seed * (i + 1)) * (1 + seed));

const cosine = (a: Float32Array, b: Float32Array): number => {
  const dot = (x: Float32Array, y: Float32Array): number => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
};

let library: SeededLibrary;
let context: SearchContext;

beforeAll(async () => {
  library = await SeededLibrary.start();
  await installRanking(library.pool);
  context = {
    pool: library.pool,
    vault: library.vault,
    legs: new PostgresLegs(library.pool),
    candidates: NO_CANDIDATES,
    embed: () => Promise.resolve({ model: TEST_MODEL, vector: vectorOf(0.5) }),
    inTurn: (statement: () => unknown) => statement(),
    onStage: () => undefined,
  } as unknown as SearchContext;
}, 60_000);
afterAll(() => library.stop());

describe('search by meaning', () => {
  it('[C-09] scores each hit by the cosine of the two vectors, best first, and keeps the best k', async () => {
    const workspaceId = await library.workspace();
    const folderId = await library.folder({ workspaceId });
    const reader: FolderReader = { workspaceId, folderIds: null, seesSensitive: false };
    const cosines = new Map<string, number>();
    for (const seed of [0.51, 0.6, 1.3, 2.1, 0.4, 0.55]) {
      const chunks = [{ text: `text ${seed}`, vector: vectorOf(seed) }];
      const { chunkIds } = await library.item({ workspaceId, folderId, title: `t ${seed}`, chunks });
      cosines.set(chunkIds[0]!, cosine(vectorOf(seed), vectorOf(0.5)));
    }
    const { hits, best, model } = await searchSemantic(context, { query: 'q', limit: 4, minSimilarity: 0, reader });
    expect(model).toBe(TEST_MODEL);
    const wanted = [...cosines]
      .filter(([, value]) => value >= 0)
      .sort(([, a], [, b]) => b - a)
      .slice(0, 4);
    expect(hits.map(({ chunkId }) => chunkId)).toEqual(wanted.map(([id]) => id));
    hits.forEach(({ chunkId, similarity }) => expect(similarity).toBeCloseTo(cosines.get(chunkId)!, 5));
    expect(best).toBe(hits[0]!.similarity);
  });
});
