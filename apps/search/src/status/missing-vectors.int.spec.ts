import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { VECTOR_DIMENSIONS } from '@cairn/contracts';
import { SeededLibrary, TEST_MODEL } from '@cairn/projections/testing';
import { MissingVectors } from './missing-vectors.js';
import { vectorStatus } from './vector-status.js';

const FITS = { budgetMb: 512, oversizedWorkspaces: 0 };

describe('the status of the vectors', () => {
  let library: SeededLibrary;
  let place: { workspaceId: string; folderId: string };
  let first: string;
  let position: number;
  let now = 0;
  /** What the embedder, the projection and the broker report. */
  let model: string | null;
  let embedded: number;
  let lagOps: number;
  let version: number;

  const store = async (text: string, vector: Float32Array | undefined) =>
    library.item({ ...place, chunks: [{ text, ...(vector && { vector }) }] });
  const missing = (): MissingVectors =>
    new MissingVectors({
      pool: library.pool,
      projections: {
        list: () =>
          Promise.resolve([
            { name: 'vectors', version, stream: 'VECTORS', checkpoint: 9, head: 9 + lagOps, lagOps, lagSeconds: 0 },
          ]),
      },
      modelInUse: { id: () => Promise.resolve(model) },
      embeddedTo: () => Promise.resolve(embedded),
      clock: { now: () => now },
    });
  const removeVector = () => library.pool.query('delete from vectors.embeddings where chunk_id = $1', [first]);

  beforeAll(async () => {
    library = await SeededLibrary.start();
    const workspaceId = await library.workspace();
    place = { workspaceId, folderId: await library.folder({ workspaceId }) };
    const vector = new Float32Array(VECTOR_DIMENSIONS).fill(1);
    const stored = await store('a', vector);
    [first, position] = [stored.chunkIds[0]!, stored.position];
    await store('b', vector);
  }, 60_000);
  afterAll(() => library.stop());
  beforeEach(() => {
    [model, embedded, lagOps, version] = [TEST_MODEL, 1_000, 0, 1];
  });

  it('is good while every text has its vector, or was given up', async () => {
    expect(await vectorStatus(missing(), FITS)).toEqual({});
    const { itemId, chunkIds, position: at } = await store('refused', undefined);
    const [chunkId] = chunkIds as [string];
    expect(await missing().count()).toBe(1);
    await library.embed({ ...place, itemId, chunkId, text: 'refused', vector: null, position: at });
    expect(await missing().count()).toBe(0);
  });

  it('names vectors that were made and are not in the table, and what to do', async () => {
    await removeVector();
    expect(await vectorStatus(missing(), FITS)).toEqual({
      ok: false,
      note: expect.stringMatching(/^1 chunk cannot be found by meaning: .*`cairn oplog replay vectors`/),
    });
  });

  it('does not take a vector for missing that is on its way, or of which nothing is known', async () => {
    embedded = position - 1;
    expect(await missing().count()).toBe(0);
    [embedded, lagOps] = [1_000, 1];
    expect(await missing().count()).toBe(0);
    [lagOps, model] = [0, null];
    expect(await missing().count()).toBe(0);
  });

  it('is counted once a minute, and again when the table was replaced', async () => {
    const counted = missing();
    expect(await counted.count()).toBe(1);
    const vector = new Float32Array(VECTOR_DIMENSIONS).fill(1);
    const { rows } = await library.pool.query<{ item_id: string }>('select item_id from library.chunks where id = $1', [
      first,
    ]);
    await library.embed({ ...place, itemId: rows[0]!.item_id, chunkId: first, text: 'a', vector, position });
    expect(await counted.count()).toBe(1);
    version = 2;
    expect(await counted.count()).toBe(0);
    await removeVector();
    expect(await counted.count()).toBe(0);
    now += 60_000;
    expect(await counted.count()).toBe(1);
  });

  it('is counted again when searches use another model', async () => {
    const counted = missing();
    expect(await counted.count()).toBe(1);
    model = 'a model that has made no vector of the three chunks';
    expect(await counted.count()).toBe(3);
  });

  it('names workspaces that memory cannot hold, which is slower but not wrong', async () => {
    const complete = { count: () => Promise.resolve(0) };
    expect(await vectorStatus(complete, { budgetMb: 1, oversizedWorkspaces: 2 })).toEqual({
      note: expect.stringContaining('The vectors of 2 workspaces exceed CAIRN_VECTORS_RESIDENT_MB (1)'),
    });
  });
});
