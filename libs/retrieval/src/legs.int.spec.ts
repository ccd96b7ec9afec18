import { createVectorIndex, EXACT_CHUNKS_MAX, installRanking } from '@cairn/ranking';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FolderReader } from '@cairn/access';
import { SeededLibrary, TEST_MODEL } from '@cairn/projections/testing';
import type { Candidate } from './candidate.js';
import { PostgresLegs } from './postgres-legs.js';
import { vectorParameter } from './query-vector.js';
import { CURRENT_CHUNKS } from './chunk-filter.js';

const DIMENSIONS = 384;
/** Unit vectors in one plane: the cosine of two of them is the cosine of the angle between them. */
const at = (degrees: number): Float32Array => {
  const vector = new Float32Array(DIMENSIONS);
  vector[0] = Math.cos((degrees * Math.PI) / 180);
  vector[1] = Math.sin((degrees * Math.PI) / 180);
  return vector;
};
const query = (degrees: number) => ({ model: TEST_MODEL, vector: at(degrees) });
const cosine = (degrees: number): number => Math.cos((degrees * Math.PI) / 180);
const ids = (hits: readonly Candidate[]): string[] => hits.map(({ chunkId }) => chunkId);

let library: SeededLibrary;
let legs: PostgresLegs;

beforeAll(async () => {
  library = await SeededLibrary.start();
  await installRanking(library.pool);
  legs = new PostgresLegs(library.pool);
}, 60_000);
afterAll(() => library.stop());

const newWorkspace = async () => {
  const workspaceId = await library.workspace();
  const folderId = await library.folder({ workspaceId });
  const reader: FolderReader = { workspaceId, folderIds: null, seesSensitive: false };
  const item = async (title: string, text: string, degrees?: number, more: object = {}) => {
    const vector = degrees === undefined ? {} : { vector: at(degrees) };
    const seeded = await library.item({ workspaceId, folderId, title, chunks: [{ text, ...vector }], ...more });
    return seeded.chunkIds[0]!;
  };
  return { workspaceId, folderId, reader, item };
};

describe('the vector leg', () => {
  it('[D-31] [G-11] ranks by cosine similarity and returns it as the score', async () => {
    const { reader, item } = await newWorkspace();
    const [near, middle, far] = [await item('n', 'n', 10), await item('m', 'm', 40), await item('f', 'f', 100)];
    const hits = await legs.vector(query(0), 100, { reader, limit: 10 });
    expect(ids(hits)).toEqual([near, middle, far]);
    [10, 40, 100].forEach((degrees, i) => expect(hits[i]!.score).toBeCloseTo(cosine(degrees), 5));
  });

  it('leaves out other workspaces, folders, tiers and models, and chunks that are superseded, expired or lack a tag', async () => {
    const { workspaceId, reader, item } = await newWorkspace();
    const secret = await library.folder({ workspaceId, tier: 'sensitive' });
    const second = await library.folder({ workspaceId });
    const foreign = await newWorkspace();
    await foreign.item('foreign', 'x', 0);
    const plain = await item('plain', 'x', 1);
    const hidden = await item('hidden', 'x', 2, { folderId: secret });
    const elsewhere = await item('elsewhere', 'x', 3, { folderId: second });
    const old = await item('old', 'x', 4, { supersededBy: '11111111-1111-4111-8111-111111111111' });
    const expired = await item('expired', 'x', 5, { expiresAt: '2001-01-01T00:00:00Z' });
    const tagged = await item('tagged', 'x', 6, { tags: ['a', 'b'] });
    await item('other model', 'x', undefined, { chunks: [{ text: 'x', vector: at(0), model: 'another' }] });
    const found = async (within: Partial<FolderReader>, filter = {}) =>
      ids(
        await legs.vector(query(0), 100, {
          reader: { ...reader, ...within },
          filter: { ...CURRENT_CHUNKS, ...filter },
          limit: 10,
        }),
      );
    expect(await found({})).toEqual([plain, elsewhere, tagged]);
    expect(await found({ folderIds: [second, secret] })).toEqual([elsewhere]);
    expect(await found({ folderIds: [] })).toEqual([]);
    expect(await found({ seesSensitive: true })).toEqual([plain, hidden, elsewhere, tagged]);
    expect(await found({}, { includeSuperseded: true })).toEqual([plain, elsewhere, old, tagged]);
    expect(await found({}, { includeExpired: true })).toEqual([plain, elsewhere, expired, tagged]);
    expect(await found({}, { tags: ['b'] })).toEqual([tagged]);
    expect(await found({}, { tags: ['b', 'c'] })).toEqual([]);
  });

  it('does not count a vector whose text has changed since', async () => {
    const { workspaceId, folderId, reader } = await newWorkspace();
    const seed = { workspaceId, folderId, title: 'changed', chunks: [{ text: 'x', vector: at(0) }] };
    const seeded = await library.item(seed);
    expect(await legs.vector(query(0), 100, { reader, limit: 10 })).toHaveLength(1);
    await library.correct(seeded, 0, seed, 'y');
    expect(await legs.vector(query(0), 100, { reader, limit: 10 })).toEqual([]);
  });
});

/** A walk of the HNSW graph whose filters pass only a few far neighbours: the first case that an index gets wrong. */
describe('the HNSW index under filters', () => {
  const CROWD = 400;
  const FEW = 8;
  let workspaceId: string;
  let crowded: string;
  let small: string;
  let index: string;

  const callIndex = (folders: readonly string[], limit: number, efSearch: number): string =>
    `retrieval.vector_index('${workspaceId}', '{${folders.join(',')}}', false, false, '{}', '${TEST_MODEL}', $1, ${limit}, ${efSearch})`;
  const select = (call: string) =>
    library.pool.query<{ chunk_id: string }>(`select * from ${call}`, [vectorParameter(at(0))]);

  beforeAll(async () => {
    workspaceId = await library.workspace();
    crowded = await library.folder({ workspaceId });
    small = await library.folder({ workspaceId });
    const chunks = Array.from({ length: CROWD }, (_, i) => ({ text: `c${i}`, vector: at((i * 60) / CROWD) }));
    await library.item({ workspaceId, folderId: crowded, chunks });
    const few = Array.from({ length: FEW }, (_, i) => ({ text: `s${i}`, vector: at(70 + i) }));
    await library.item({ workspaceId, folderId: small, chunks: few });
    await createVectorIndex(library.pool, { workspaceId, model: TEST_MODEL, dims: DIMENSIONS });
    const name = `select retrieval.vector_index_name($1, $2) as index`;
    ({ index } = (await library.pool.query<{ index: string }>(name, [workspaceId, TEST_MODEL])).rows[0]!);
  }, 60_000);

  it('returns as many hits as requested, although all of them are behind the crowd', async () => {
    const { rows } = await select(callIndex([small], FEW, 10));
    expect(rows).toHaveLength(FEW);
  });

  it('returns more hits than the walk is wide', async () => {
    expect((await select(callIndex([crowded], 100, 10))).rows).toHaveLength(100);
  });

  it('agrees with the exact scan', async () => {
    const exact = callIndex([small, crowded], 50, 200).replace('vector_index', 'vector_exact').replace(', 200)', ')');
    const wanted = new Set((await select(exact)).rows.map((row) => row.chunk_id));
    const found = (await select(callIndex([small, crowded], 50, 200))).rows.filter((row) => wanted.has(row.chunk_id));
    expect(found.length).toBeGreaterThanOrEqual(45);
  });

  it('is read as an index, and chunks are looked up by their id alone', async () => {
    const used = await scansDuring(callIndex([crowded], 20, 40));
    expect(used).toMatchObject({ hnsw: 1, chunksByFolder: 0, sequential: 0 });
    expect(used.chunksById).toBeGreaterThanOrEqual(20);
  });

  it('is not used by the exact scan, which finds the chunks by their folder', async () => {
    const exact = callIndex([small], 5, 40).replace('vector_index', 'vector_exact').replace(', 40)', ')');
    expect(await scansDuring(exact)).toMatchObject({ hnsw: 0, chunksByFolder: 1, sequential: 0 });
  });

  it('does not leak its settings', async () => {
    const setting = async () => (await library.pool.query('show hnsw.ef_search')).rows[0];
    const before = await setting();
    await select(callIndex([crowded], 20, 199));
    expect(await setting()).toEqual(before);
  });

  /** Which plan Postgres actually used, since EXPLAIN cannot look inside a function: the counters before and after. */
  const scansDuring = async (call: string): Promise<Record<string, number>> => {
    const client = await library.pool.connect();
    try {
      await client.query('begin');
      const before = (await client.query<Record<string, number>>(scans(index))).rows[0]!;
      await client.query(`select * from ${call}`, [vectorParameter(at(0))]);
      const after = (await client.query<Record<string, number>>(scans(index))).rows[0]!;
      return Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - before[name]!]));
    } finally {
      await client.query('rollback');
      client.release();
    }
  };
  const scans = (hnsw: string): string => `
    select pg_stat_get_xact_numscans('vectors.${hnsw}'::regclass)::int as hnsw,
           pg_stat_get_xact_numscans('library.chunks_pkey'::regclass)::int as "chunksById",
           pg_stat_get_xact_numscans('library.chunks_workspace_id_folder_id_idx'::regclass)::int as "chunksByFolder",
           (select sum(seq_scan)::int from pg_stat_xact_user_tables where relname in ('chunks', 'embeddings')) as sequential`;
});

/** Vectors without any structure are the hardest to walk: the width of the walk decides what it finds. */
describe('efSearch', () => {
  const CHUNKS = EXACT_CHUNKS_MAX + 100;
  const WANTED = 10;
  let reader: FolderReader;
  let queries: Float32Array[];

  const found = async (efSearch: number): Promise<string[][]> => {
    const answers: string[][] = [];
    for (const vector of queries)
      answers.push(ids(await legs.vector({ model: TEST_MODEL, vector }, efSearch, { reader, limit: WANTED })));
    return answers;
  };

  const exact = async (): Promise<string[][]> => {
    // The sum keeps the planner from using the index.
    const sql = `select c.id from library.chunks c join vectors.embeddings e on e.chunk_id = c.id
      where c.workspace_id = $1 order by (e.embedding <=> $2::vector(${DIMENSIONS})) + 0 limit ${WANTED}`;
    const answers: string[][] = [];
    for (const vector of queries) {
      const values = [reader.workspaceId, `[${vector.join(',')}]`];
      answers.push((await library.pool.query<{ id: string }>(sql, values)).rows.map(({ id }) => id));
    }
    return answers;
  };

  const recall = (answers: readonly string[][], wanted: readonly string[][]): number => {
    const hits = answers.flatMap((answer, i) => answer.filter((id) => wanted[i]!.includes(id)));
    return hits.length / (wanted.length * WANTED);
  };

  beforeAll(async () => {
    const { workspaceId, folderId, ...rest } = await newWorkspace();
    reader = rest.reader;
    await library.fill({ workspaceId, folderId }, CHUNKS);
    await createVectorIndex(library.pool, { workspaceId, model: TEST_MODEL, dims: DIMENSIONS });
    const random = () => Float32Array.from({ length: DIMENSIONS }, () => Math.random() - 0.5);
    queries = Array.from({ length: 10 }, random);
  }, 60_000);

  it('[D-30] is the width of the walk: a narrow one misses neighbours that a wide one finds', async () => {
    const wanted = await exact();
    const [narrow, wide] = [recall(await found(1), wanted), recall(await found(200), wanted)];
    // Random vectors have no near neighbours, so the quality of the wide walk varies; that it is better does not.
    expect(narrow).toBeLessThan(wide - 0.2);
  });
});

describe('the choice between scan and index', () => {
  it.each([
    [EXACT_CHUNKS_MAX, 1_000_000, 100, true],
    [EXACT_CHUNKS_MAX, EXACT_CHUNKS_MAX, 100, true],
    [5_000, 5_000, 100, false],
    [2_000, 15_000, 100, true],
    [4_000, 15_000, 100, false],
    [10_000, 1_000_000, 100, true],
    [100_000, 1_000_000, 100, false],
  ])('for %i of %i chunks in scope and %i wanted, uses the exact scan: %s', async (scope, total, wanted, exact) => {
    const { rows } = await library.pool.query('select retrieval.prefers_exact($1, $2, $3) as exact', [
      scope,
      total,
      wanted,
    ]);
    expect(rows[0].exact).toBe(exact);
  });

  it('returns all matches if the folder counts promise more than exist', async () => {
    const { workspaceId, folderId, reader, item } = await newWorkspace();
    const only = await item('only', 'x', 5);
    await library.pool.query('update library.folders set chunk_count = 50000 where id = $1', [folderId]);
    expect(ids(await legs.vector(query(0), 100, { reader, limit: 10 }))).toEqual([only]);
    await library.pool.query('delete from library.folders where workspace_id = $1', [workspaceId]);
  });
});
