import { createVectorIndex, EXACT_CHUNKS_MAX, installRanking } from '@cairn/ranking';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FolderReader } from '@cairn/access';
import { SeededLibrary, TEST_MODEL } from '@cairn/projections/testing';
import type { Candidate } from './candidate.js';
import { weightedFusion } from './fusion.js';
import { PostgresHybridSearch } from './postgres-hybrid-search.js';
import { PostgresLegs } from './postgres-legs.js';
import { PostgresLexicalIndex } from './postgres-lexical-index.js';

const DIMENSIONS = 384;
const LIMIT = 100;
const HITS = 10;
const SIZES = { candidates: LIMIT, hits: HITS };
const vectorAt = (degrees: number): Float32Array => {
  const vector = new Float32Array(DIMENSIONS);
  vector[0] = Math.cos((degrees * Math.PI) / 180);
  vector[1] = Math.sin((degrees * Math.PI) / 180);
  return vector;
};
const query = { model: TEST_MODEL, vector: vectorAt(0) };

let library: SeededLibrary;
let hybrid: PostgresHybridSearch;

beforeAll(async () => {
  library = await SeededLibrary.start();
  await installRanking(library.pool);
  hybrid = new PostgresHybridSearch(library.pool);
}, 60_000);
afterAll(() => library.stop());

const newWorkspace = async () => {
  const workspaceId = await library.workspace();
  const folderId = await library.folder({ workspaceId });
  const reader: FolderReader = { workspaceId, folderIds: null, seesSensitive: false };
  const item = async (text: string, degrees: number, more: object = {}): Promise<string> => {
    const chunks = [{ text, vector: vectorAt(degrees) }];
    return (await library.item({ workspaceId, folderId, chunks, ...more })).chunkIds[0]!;
  };
  return { workspaceId, folderId, reader, item };
};

const search = async (words: string, reader: FolderReader): Promise<Record<string, readonly unknown[]>> => {
  const { results } = await hybrid.search({ text: words, embedded: query }, reader, SIZES);
  return Object.fromEntries(results.map(({ leg, hits }) => [leg, hits]));
};

const idsOf = async (words: string, reader: FolderReader): Promise<Record<string, string[]>> => {
  const { results } = await hybrid.search({ text: words, embedded: query }, reader, SIZES);
  return Object.fromEntries(results.map(({ leg, hits }) => [leg, hits.map(({ id }) => id)]));
};

/** The results of the legs when each runs alone, in the same form. */
const alone = async (words: string, reader: FolderReader): Promise<Record<string, readonly unknown[]>> => {
  const plain = (candidates: readonly Candidate[]) => candidates.map(({ chunkId: id, score }) => ({ id, score }));
  const vector = await new PostgresLegs(library.pool).vector(query, 100, { reader, limit: LIMIT });
  const bm25 = await new PostgresLexicalIndex(library.pool).search(words, reader, LIMIT);
  return { vector: plain(vector), bm25: plain(bm25) };
};

const CHUNKS = EXACT_CHUNKS_MAX + 200;

/** As many rows as it takes for an index to be chosen; as ops they would take minutes. */
const fill = async (workspaceId: string, folderId: string): Promise<void> => {
  await library.pool.query(
    `insert into library.chunks (id, workspace_id, folder_id, item_id, text_hash, superseded, tags, tokens, words)
     select gen_random_uuid(), $1, $2, gen_random_uuid(), '\\x01', false, '{}', 1, '' from generate_series(1, ${CHUNKS})`,
    [workspaceId, folderId],
  );
  await library.pool.query(
    `insert into vectors.embeddings (chunk_id, model, text_hash, workspace_id, embedding)
     select c.id, $2, c.text_hash, c.workspace_id,
       (select array_agg(random() - 0.5) from generate_series(1, ${DIMENSIONS}) where c.id is not null)::vector
     from library.chunks c where c.workspace_id = $1`,
    [workspaceId, TEST_MODEL],
  );
  await library.pool.query(
    `insert into lexical.documents (chunk_id, workspace_id, folder_id, item_id, superseded, expires_at, body)
     select id, workspace_id, folder_id, item_id, false, null,
       repeat('quokka ', 1 + row_number() over ()::int % 7) || repeat('reed ', 1 + row_number() over ()::int % 30)
     from library.chunks where workspace_id = $1`,
    [workspaceId],
  );
  await library.pool.query('update library.folders set chunk_count = $2 where id = $1', [folderId, CHUNKS]);
  await createVectorIndex(library.pool, { workspaceId, model: TEST_MODEL, dims: DIMENSIONS });
};

describe('both legs in one statement', () => {
  it('find the same in a small library as each leg alone, with the same scores', async () => {
    const { reader, item } = await newWorkspace();
    for (let i = 0; i < 20; i++) await item(`numbat ${'grass '.repeat(i)}`, i * 3);
    const found = await search('numbat grass', reader);
    expect(found).toEqual(await alone('numbat grass', reader));
    expect(found['vector']).toHaveLength(20);
    expect(found['bm25']).toHaveLength(20);
  });

  it('find the same in a large library as each leg alone, by the index', async () => {
    const { workspaceId, folderId, reader } = await newWorkspace();
    await fill(workspaceId, folderId);
    const found = await search('quokka', reader);
    expect(found).toEqual(await alone('quokka', reader));
    expect(found['vector']).toHaveLength(LIMIT);
    expect(found['bm25']).toHaveLength(LIMIT);
  }, 60_000);

  it('leave out other workspaces, folders and tiers, and superseded or expired chunks', async () => {
    const { workspaceId, reader, item } = await newWorkspace();
    const secret = await library.folder({ workspaceId, tier: 'sensitive' });
    const second = await library.folder({ workspaceId });
    await (await newWorkspace()).item('potoroo', 0);
    const plain = await item('potoroo', 1);
    const hidden = await item('potoroo', 2, { folderId: secret });
    const elsewhere = await item('potoroo', 3, { folderId: second });
    await item('potoroo', 4, { supersededBy: workspaceId });
    await item('potoroo', 5, { expiresAt: '2001-01-01T00:00:00Z' });
    const found = async (within: Partial<FolderReader>) => {
      const { vector, bm25 } = await idsOf('potoroo', { ...reader, ...within });
      // Sensitive texts are in no BM25 index.
      expect([...bm25!].sort()).toEqual(vector!.filter((id) => id !== hidden).sort());
      return vector;
    };
    expect(await found({})).toEqual([plain, elsewhere]);
    expect(await found({ folderIds: [second, secret] })).toEqual([elsewhere]);
    expect(await found({ seesSensitive: true })).toEqual([plain, hidden, elsewhere]);
    const blind = { ...reader, folderIds: [] };
    expect(await hybrid.search({ text: 'potoroo', embedded: query }, blind, SIZES)).toEqual({
      results: [],
      likely: [],
    });
  });

  it('skip the keyword leg if the query has no words, and return nothing in an empty workspace', async () => {
    const { reader, item } = await newWorkspace();
    expect(await idsOf('bilby', reader)).toEqual({ vector: [], bm25: [] });
    const near = await item('bilby', 0);
    expect(await idsOf('?!', reader)).toEqual({ vector: [near], bm25: [] });
    expect(await idsOf('wallaby', reader)).toEqual({ vector: [near], bm25: [] });
  });

  it('come with the rows that fusion chooses, and with no others', async () => {
    const { reader, item } = await newWorkspace();
    for (let i = 0; i < 40; i++) await item(`dunnart ${'grass '.repeat((i * 7) % 40)}`, i * 2);
    for (const [words, hits] of [
      ['dunnart grass', HITS],
      ['dunnart', 1],
      ['?!', 5],
      ['dunnart grass', 100],
    ] as const) {
      const sizes = { candidates: LIMIT, hits };
      const { results, likely } = await hybrid.search({ text: words, embedded: query }, reader, sizes);
      const chosen = weightedFusion.fuse(results, hits).map(({ id }) => id);
      expect(new Set(likely.map(({ chunk_id: id }) => id))).toEqual(new Set(chosen));
    }
  });

  it('come without the row of an item that is no longer visible', async () => {
    const { workspaceId, reader, item } = await newWorkspace();
    const kept = await item('ningaui', 0);
    const gone = await item('ningaui', 1);
    const moved =
      'update library.items set in_kb = false where id = (select item_id from library.chunks where id = $1)';
    await library.pool.query(moved, [gone]);
    const { likely } = await hybrid.search({ text: 'ningaui', embedded: query }, reader, SIZES);
    expect(likely).toMatchObject([{ chunk_id: kept, workspace_id: workspaceId }]);
  });

  it('use the HNSW graph in a large library and the exact scan in a small one', async () => {
    const small = await newWorkspace();
    await small.item('kowari', 0);
    const large = await newWorkspace();
    await fill(large.workspaceId, large.folderId);
    expect(await walksDuring(small.reader)).toBe(0);
    expect(await walksDuring(large.reader)).toBe(1);
  }, 60_000);

  /** Which plan Postgres actually used, since EXPLAIN cannot look inside a function. */
  const walksDuring = async (reader: FolderReader): Promise<number> => {
    const client = await library.pool.connect();
    const walks = async (): Promise<number> =>
      (
        await client.query(
          `select coalesce(sum(pg_stat_get_xact_numscans(oid)), 0)::int as n from pg_class where relname like 'embeddings_hnsw_%'`,
        )
      ).rows[0].n;
    try {
      await client.query('begin');
      const before = await walks();
      const pool = { connect: () => Promise.resolve({ query: client.query.bind(client), release: () => undefined }) };
      await new PostgresHybridSearch(pool as never).search({ text: 'kowari', embedded: query }, reader, SIZES);
      return (await walks()) - before;
    } finally {
      await client.query('rollback');
      client.release();
    }
  };
});
