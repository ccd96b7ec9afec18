import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FolderReader } from '@cairn/access';
import { VECTOR_DIMENSIONS, type DomainEvent } from '@cairn/contracts';
import { SeededLibrary, TEST_MODEL, type SeedItem } from '@cairn/projections/testing';
import { installRanking } from '@cairn/ranking';
import type { Pool } from 'pg';
import { CURRENT_CHUNKS } from './chunk-filter.js';
import { PostgresHybridSearch } from './postgres-hybrid-search.js';
import { PostgresLegs } from './postgres-legs.js';
import { CHUNK_EF_SEARCH } from './query-vector.js';
import type { VectorCandidates } from './vector-candidates.port.js';

export interface CandidatesUnderTest {
  readonly candidates: VectorCandidates;
  /** Resolves when everything that was written before is taken into account without help from the database. */
  caughtUp(workspaceId: string): Promise<void>;
  close(): Promise<void>;
}

const LIMIT = 50;

const random = (): Float32Array => Float32Array.from({ length: VECTOR_DIMENSIONS }, () => Math.random() - 0.5);

/** Near the other vector: `distance` is the part that is random. */
const near = (vector: Float32Array, distance: number): Float32Array =>
  vector.map((value) => value + distance * (Math.random() - 0.5));

/** By a plain statement, without any function of Cairn: the true order. */
const EXACT = `
select c.id
  from library.chunks c
  join library.folders f on f.id = c.folder_id
  join vectors.embeddings e on e.chunk_id = c.id and e.text_hash = c.text_hash and e.model = $2
  where c.workspace_id = $1 and ($3::uuid[] is null or f.id = any ($3)) and ($4 or f.tier = 'personal')
    and ($5 or not c.superseded) and (c.expires_at is null or c.expires_at > now())
    and vector_dims(e.embedding) = vector_dims($6::vector)
  order by (e.embedding <=> $6::vector) + 0, c.id
  limit $7`;

/** The contract of everything that proposes chunks: with it, searches return the exact order of the stored vectors. */
export const vectorCandidatesContract = (name: string, open: (pool: Pool) => CandidatesUnderTest): void => {
  describe(`vector searches with ${name}`, () => {
    let library: SeededLibrary;
    let under: CandidatesUnderTest;
    let workspaceId: string;
    let folders: Record<'all' | 'tenth' | 'hundredth' | 'thousandth' | 'secret', string>;
    let everywhere: FolderReader;
    const within = (...folderIds: readonly string[]): FolderReader => ({ ...everywhere, folderIds });

    beforeAll(async () => {
      library = await SeededLibrary.start();
      await installRanking(library.pool);
      under = open(library.pool);
      workspaceId = await library.workspace();
      everywhere = { workspaceId, folderIds: null, seesSensitive: false };
      const folder = (tier: 'personal' | 'sensitive' = 'personal') => library.folder({ workspaceId, tier });
      folders = {
        all: await folder(),
        tenth: await folder(),
        hundredth: await folder(),
        thousandth: await folder(),
        secret: await folder('sensitive'),
      };
      const sizes = { all: 2_600, tenth: 300, hundredth: 30, thousandth: 3, secret: 200 };
      for (const [key, count] of Object.entries(sizes))
        await library.fill({ workspaceId, folderId: folders[key as keyof typeof folders] }, count);
      await under.caughtUp(workspaceId);
    }, 120_000);
    afterAll(async () => {
      await under.close();
      await library.stop();
    });

    const exact = async (
      reader: FolderReader,
      vector: Float32Array,
      { superseded = false, limit = LIMIT, model = TEST_MODEL } = {},
    ): Promise<string[]> => {
      const scope = [reader.workspaceId, model, reader.folderIds, reader.seesSensitive, superseded];
      const { rows } = await library.pool.query<{ id: string }>(EXACT, [...scope, `[${vector.join(',')}]`, limit]);
      return rows.map(({ id }) => id);
    };

    const found = async (
      reader: FolderReader,
      vector: Float32Array,
      { superseded = false, limit = LIMIT, model = TEST_MODEL } = {},
    ): Promise<string[]> => {
      const query = { model, vector };
      const proposal = await under.candidates.propose({ query, reader, limit });
      const filter = { ...CURRENT_CHUNKS, includeSuperseded: superseded };
      const request = { reader, filter, limit, proposal };
      const hits = await new PostgresLegs(library.pool).vector(query, CHUNK_EF_SEARCH, request);
      return hits.map(({ chunkId }) => chunkId);
    };

    const foundByHybrid = async (reader: FolderReader, vector: Float32Array): Promise<string[]> => {
      const embedded = { model: TEST_MODEL, vector };
      const proposal = await under.candidates.propose({ query: embedded, reader, limit: LIMIT });
      const query = { text: 'x', embedded, proposal };
      const sizes = { candidates: LIMIT, hits: LIMIT };
      const { results } = await new PostgresHybridSearch(library.pool).search(query, reader, sizes);
      return results.find(({ leg }) => leg === 'vector')!.hits.map(({ id }) => id);
    };

    /** Checks before and after the candidates include the change by themselves. */
    const expectExact = async (reader: FolderReader, vector: Float32Array, options = {}): Promise<void> => {
      expect(await found(reader, vector, options)).toEqual(await exact(reader, vector, options));
      await under.caughtUp(workspaceId);
      expect(await found(reader, vector, options)).toEqual(await exact(reader, vector, options));
    };

    const seed = (vector: Float32Array, more: Partial<SeedItem> = {}): SeedItem => ({
      workspaceId,
      folderId: folders.tenth,
      chunks: [{ text: `t${Math.random()}`, vector }],
      ...more,
    });

    it.each(['all', 'tenth', 'hundredth', 'thousandth'] as const)(
      'return the exact order in a scope of one folder: %s',
      async (folder) => {
        for (let i = 0; i < 3; i++) {
          const [vector, reader] = [random(), within(folders[folder])];
          expect(await found(reader, vector)).toEqual(await exact(reader, vector));
          expect(await foundByHybrid(reader, vector)).toEqual(await exact(reader, vector));
        }
      },
    );

    it('return the exact order over all folders, and for any limit', async () => {
      const vector = random();
      for (const limit of [1, 10, 100, 1_000])
        expect(await found(everywhere, vector, { limit })).toEqual(await exact(everywhere, vector, { limit }));
      expect(await foundByHybrid(everywhere, vector)).toEqual(await exact(everywhere, vector));
      expect(await found(within(folders.thousandth, folders.hundredth, randomUUID()), vector)).toHaveLength(33);
    });

    it('return equal vectors in the order of their ids, also where the limit cuts them', async () => {
      const vector = random();
      for (let i = 0; i < 8; i++) await library.item(seed(vector));
      await expectExact(everywhere, vector, { limit: 10 });
      await expectExact(everywhere, vector, { limit: 5 });
      expect(await foundByHybrid(everywhere, vector)).toEqual(await exact(everywhere, vector));
    });

    it('leave out hidden folders, until their tier changes', async () => {
      const vector = random();
      const admin = { ...everywhere, seesSensitive: true };
      expect(await found(within(folders.secret), vector)).toEqual([]);
      await expectExact(admin, vector, { limit: 500 });
      const setTier = (tier: 'personal' | 'sensitive') =>
        library.apply(workspaceId, { type: 'folder.configured', data: { folderId: folders.secret, tier } });
      await setTier('personal');
      await expectExact(everywhere, vector, { limit: 500 });
      await setTier('sensitive');
      await expectExact(everywhere, vector, { limit: 500 });
    });

    it('include new vectors at once', async () => {
      const vector = random();
      const { chunkIds } = await library.item(seed(near(vector, 0.1)));
      expect((await found(everywhere, vector))[0]).toBe(chunkIds[0]);
      await expectExact(everywhere, vector);
    });

    it('follow an item that moves, with its texts or without', async () => {
      const vector = random();
      const item = seed(near(vector, 0.1));
      const seeded = await library.item(item);
      await under.caughtUp(workspaceId);
      const moved = await library.placed(seeded, { ...item, folderId: folders.hundredth });
      for (const event of [moved, withoutTexts(moved, folders.thousandth)]) {
        await library.apply(workspaceId, event);
        const { folderId } = event.data as { folderId: string };
        expect((await found(within(folderId), vector))[0]).toBe(seeded.chunkIds[0]);
        expect(await found(within(folders.tenth), vector)).not.toContain(seeded.chunkIds[0]);
        await expectExact(within(folderId), vector);
      }
    });

    it('leave out superseded chunks unless they are wanted, also where most of the nearest are', async () => {
      const vector = random();
      const chunks = (count: number, distance: number) =>
        Array.from({ length: count }, (_, i) => ({ text: `${distance}/${i}`, vector: near(vector, distance) }));
      await library.item({ ...seed(vector), chunks: chunks(150, 0.1), supersededBy: randomUUID() });
      await library.item({ ...seed(vector), chunks: chunks(20, 0.5) });
      await expectExact(everywhere, vector);
      await expectExact(everywhere, vector, { superseded: true });
      await expectExact(within(folders.tenth), vector);
    }, 60_000);

    it('leave out forgotten chunks', async () => {
      const vector = random();
      const { itemId, chunkIds } = await library.item(seed(near(vector, 0.1)));
      await under.caughtUp(workspaceId);
      await library.apply(workspaceId, {
        type: 'item.forgotten',
        data: {
          ...{ itemId, folderId: folders.tenth, chunkIds: [...chunkIds], receiptId: randomUUID() },
          ...{ erased: [], more: false },
        },
      });
      expect(await found(everywhere, vector)).not.toContain(chunkIds[0]);
      await expectExact(everywhere, vector);
    });

    it('use the vector of the present text only', async () => {
      const [before, after] = [random(), random()];
      const item = seed(before);
      const seeded = await library.item(item);
      const [chunkId] = seeded.chunkIds as [string];
      await under.caughtUp(workspaceId);
      const position = await library.correct(seeded, 0, item, 'changed');
      expect(await found(everywhere, before)).not.toContain(chunkId);
      await under.caughtUp(workspaceId);
      await library.embed({ workspaceId, itemId: seeded.itemId, chunkId, text: 'changed', vector: after, position });
      expect((await found(everywhere, after))[0]).toBe(chunkId);
      await expectExact(everywhere, before);
      await expectExact(everywhere, after);
    });

    it('find a text whose vector was written before the text itself', async () => {
      const [before, after] = [random(), random()];
      const item = seed(before);
      const seeded = await library.item(item);
      const [chunkId] = seeded.chunkIds as [string];
      // As if the library were behind the vectors: it gets the position of the correction from the next op.
      await library.embed({
        workspaceId,
        itemId: seeded.itemId,
        chunkId,
        text: 'late',
        vector: after,
        position: 10_000,
      });
      await under.caughtUp(workspaceId);
      await library.correct(seeded, 0, item, 'late');
      expect((await found(everywhere, after))[0]).toBe(chunkId);
      await expectExact(everywhere, after);
    });

    it('keep models apart, and pass over vectors of another length', async () => {
      const vector = random();
      await library.item(seed(vector, { chunks: [{ text: 'other', vector: near(vector, 0.1), model: 'another' }] }));
      const short = await library.item(seed(near(vector, 0.1)));
      await library.pool.query(`update vectors.embeddings set embedding = '[1,2,3]' where chunk_id = $1`, [
        short.chunkIds[0],
      ]);
      await expectExact(everywhere, vector);
      await expectExact(everywhere, vector, { model: 'another' });
      expect(await found(everywhere, Float32Array.of(1, 2, 3))).toEqual([short.chunkIds[0]]);
      expect(await found(everywhere, Float32Array.of(1, 2))).toEqual([]);
      expect(await found(everywhere, vector, { model: 'unknown' })).toEqual([]);
    });

    it('pass over vectors whose chunk does not exist, as in a table that is ahead of the library', async () => {
      const vector = random();
      await library.pool.query(
        `insert into vectors.embeddings (chunk_id, model, text_hash, workspace_id, seq, embedding)
         select gen_random_uuid(), $1, '\\x02', $2, 1, $3::vector from generate_series(1, $4::int)`,
        [TEST_MODEL, workspaceId, `[${vector.join(',')}]`, 3 * LIMIT],
      );
      expect(await found(everywhere, vector)).toHaveLength(LIMIT);
      await expectExact(everywhere, vector);
      await expectExact(within(folders.thousandth), vector);
    });

    it('return nothing for an empty workspace and for a reader without folders', async () => {
      const empty = await library.workspace();
      expect(await found({ ...everywhere, workspaceId: empty }, random())).toEqual([]);
      expect(await found(within(), random())).toEqual([]);
    });
  });
};

/** The event of an item whose texts are in the knowledge base already. */
const withoutTexts = (event: DomainEvent, folderId: string): DomainEvent =>
  event.type === 'item.placed' ? { ...event, data: { ...event.data, folderId, chunks: [] } } : event;
