import { randomUUID } from 'node:crypto';
import { folderReaderValues, type FolderReader } from '@cairn/access';
import { ITEM_TITLE_CHARS_MAX } from '@cairn/contracts';
import { installRanking } from '@cairn/ranking';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import type { Candidate } from './candidate.js';
import { CURRENT_CHUNKS } from './chunk-filter.js';
import type { LegRequest } from './postgres-legs.js';

type Leg = 'fulltext' | 'title';

const callOf = (leg: Leg): string =>
  `select chunk_id as "chunkId", item_id as "itemId", score from retrieval.${leg}_leg($1, $2, $3, $4, $5, $6, $7, $8)`;
const valuesOf = (query: string, { reader, filter = CURRENT_CHUNKS, limit }: LegRequest): unknown[] => {
  const { includeSuperseded, includeExpired, tags } = filter;
  return [...folderReaderValues(reader), includeSuperseded, includeExpired, tags, query, limit];
};

export const runLeg = async (pool: Pool, leg: Leg, query: string, request: LegRequest): Promise<Candidate[]> =>
  (await pool.query<Candidate>(callOf(leg), valuesOf(query, request))).rows;

/** Rows of chunks, each of an item of its own unless it names one; as ops they would take minutes. */
interface Row {
  readonly text: string;
  readonly title?: string | null;
  readonly item?: number;
}

/** What each leg means, without any index: the ranks of all matches, and a comparison with all titles. */
const MEANT = {
  fulltext: `
    select (array_agg(id order by rank desc, id))[1] as "chunkId", item_id as "itemId", max(rank) as score from (
      select id, item_id, ts_rank_cd(words, plainto_tsquery('simple', $2))::float8 as rank from library.chunks
      where workspace_id = $1 and words @@ plainto_tsquery('simple', $2)) found
    group by item_id order by score desc, item_id limit $3`,
  title: `
    select id as "chunkId", item_id as "itemId", char_length($2)::float8 / greatest(char_length(title), 1) as score
    from library.chunks, lateral (select '%' || regexp_replace($2, '([\\\\%_])', '\\\\\\1', 'g') || '%' as pattern) p
    where workspace_id = $1
      and case when octet_length($2) = char_length($2) then title collate "C" ilike pattern else title ilike pattern end
    order by score desc, id limit $3`,
};

/** Both legs by words give what they would give without any index, and read little for it. */
export const describeWordLegs = (
  server: string,
  start: () => Promise<{ readonly pool: Pool; readonly stop: () => Promise<void> }>,
): void =>
  describe(`word legs, ${server} Postgres`, () => {
    let pool: Pool;
    let stop: () => Promise<void>;
    const run = (leg: Leg, query: string, request: LegRequest) => runLeg(pool, leg, query, request);
    const ids = (hits: readonly Candidate[]): string[] => hits.map(({ chunkId }) => chunkId);

    beforeAll(async () => {
      ({ pool, stop } = await start());
      await installRanking(pool);
    }, 120_000);
    afterAll(() => stop());

    const newFolder = async (workspaceId: string): Promise<string> => {
      const folderId = randomUUID();
      await pool.query(
        `insert into library.folders (id, workspace_id, slug, name, tier, readme, is_default, created_at)
       values ($1::uuid, $2, $1::text, $1::text, 'personal', '', false, now())`,
        [folderId, workspaceId],
      );
      return folderId;
    };

    const newWorkspace = async () => {
      const workspaceId = randomUUID();
      const reader: FolderReader = { workspaceId, folderIds: null, seesSensitive: false };
      return { workspaceId, folderId: await newFolder(workspaceId), reader };
    };

    /** Enough for the indexes to be used. */
    const fill = async ({ workspaceId, folderId }: { workspaceId: string; folderId: string }, rows: readonly Row[]) => {
      await pool.query(
        `insert into library.chunks (id, workspace_id, folder_id, item_id, text_hash, superseded, tags, tokens, title, words)
     select gen_random_uuid(), $1::uuid, $2::uuid, md5($1::uuid::text || item)::uuid, '\\x01', false, '{}', 1, title, to_tsvector('simple', text)
     from unnest($3::text[], $4::text[], $5::int[]) as x(title, text, item)`,
        [
          ...[workspaceId, folderId, rows.map(({ title }) => title ?? null), rows.map(({ text }) => text)],
          rows.map(({ item }, i) => item ?? 1_000_000 + i),
        ],
      );
      await pool.query('update library.folders set chunk_count = $2 where id = $1', [folderId, rows.length]);
    };

    const meant = async (leg: Leg, query: string, { reader, limit }: LegRequest): Promise<Candidate[]> =>
      (await pool.query<Candidate>(MEANT[leg], [reader.workspaceId, query, limit])).rows;

    describe('the full-text leg of a large scope', () => {
      const VOCABULARY = ['amber', 'birch', 'cedar', 'dune', 'elm', 'fern'];
      let reader: FolderReader;
      let seed = 7;
      const random = (): number => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
      /** Words at the front of the list are in nearly every text, and often more than once. */
      const text = (): string => {
        const length = 1 + Math.floor(random() * 60);
        return Array.from({ length }, () => VOCABULARY[Math.floor(random() ** 3 * VOCABULARY.length)]!).join(' ');
      };

      beforeAll(async () => {
        const workspace = await newWorkspace();
        reader = workspace.reader;
        const rows = Array.from({ length: 1_500 }, () => ({ text: text() }));
        // One item holds more of the best chunks than are looked at first, and a rare word occurs a few times.
        const long = Array.from({ length: 500 }, (_, i) => ({
          text: `gorse ${'amber '.repeat(40 + (i % 3))}`,
          item: 1,
        }));
        const rare = Array.from({ length: 30 }, (_, i) => ({ text: `heath ${'moss '.repeat(i)} heath`, item: i % 20 }));
        await fill(workspace, [...rows, ...long, ...rare]);
        // The same words elsewhere must neither be found nor count.
        const other = await newWorkspace();
        await fill(
          other,
          Array.from({ length: 400 }, () => ({ text: text() })),
        );
      }, 60_000);

      it.each([
        'amber',
        'birch',
        'cedar',
        'fern',
        'heath',
        'moss',
        'gorse',
        'amber birch',
        'elm fern',
        'gorse amber',
        'amber birch cedar dune elm fern',
        'heath moss',
        'nowhere',
        'amber nowhere',
      ])('ranks as if it had read every match: %s', async (query) => {
        for (const limit of [1, 10, 100]) {
          const request = { reader, limit };
          expect([limit, await run('fulltext', query, request)]).toEqual([
            limit,
            await meant('fulltext', query, request),
          ]);
        }
      });

      it('leaves out what is filtered before it counts the occurrences of a word', async () => {
        const { rows } = await pool.query<{ id: string }>(
          `update library.chunks set superseded = true where workspace_id = $1 and words @@ 'amber'
       and cardinality((select positions from unnest(words) where lexeme = 'amber')) >= 20 returning id`,
          [reader.workspaceId],
        );
        const hits = ids(await run('fulltext', 'amber', { reader, limit: 100 }));
        await pool.query('update library.chunks set superseded = false where workspace_id = $1', [reader.workspaceId]);
        expect(rows.length).toBeGreaterThan(500);
        expect(hits).toHaveLength(100);
        expect(hits.filter((id) => rows.some((row) => row.id === id))).toEqual([]);
      });
    });

    describe('the title leg of a large scope', () => {
      const TITLES = [
        ...[
          'Ångström units',
          'ÅNGSTRÖM',
          'angstrom',
          'All about Ångström',
          'K2',
          'K2 by Kelvin sign: \u212a2',
          '\u212aelvin',
        ],
        ...[
          'İstanbul',
          'ISTANBUL',
          'istanbul',
          'ıstanbul',
          'ΟΔΟΣ',
          'οδος',
          'οδοσ',
          'ΣΊΣΥΦΟΣ',
          'Straße',
          'STRASSE',
          'straẞe',
        ],
        ...[
          '灯台',
          '灯台守の日記',
          '東京の灯台',
          '日記',
          'a灯',
          'ab',
          'a',
          '',
          'abc',
          'xabcx',
          'ABCABC',
          '100% sure',
          '1000 sure',
        ],
        ...[
          'a_b',
          'axb',
          'c:\\d',
          "it's",
          'two  blanks',
          'tab\there',
          '🙂 smile',
          '🙂🙃',
          'e\u0301tude',
          'étude',
          'ÉTUDE',
        ],
        ...['x'.repeat(ITEM_TITLE_CHARS_MAX), `${'long words '.repeat(20)}end`],
      ];
      let reader: FolderReader;

      beforeAll(async () => {
        const workspace = await newWorkspace();
        reader = workspace.reader;
        const titled = TITLES.map((title) => ({ title, text: 'x' }));
        await fill(workspace, [
          ...titled,
          ...Array.from({ length: 400 }, (_, i) => ({ title: `Note ${i}`, text: 'x' })),
        ]);
        await fill(await newWorkspace(), [...titled, ...Array.from({ length: 400 }, () => ({ text: 'x' }))]);
      }, 60_000);

      /** Every title, all its parts of one to four letters, in three spellings, and queries that match nothing. */
      const queries = [
        ...new Set(
          TITLES.flatMap((title) => {
            const letters = Array.from(title).slice(0, 40);
            const parts = letters.flatMap((_, i) => [1, 2, 3, 4].map((n) => letters.slice(i, i + n).join('')));
            return [title, ...parts].flatMap((part) => [part, part.toUpperCase(), part.toLowerCase()]);
          }),
        ),
        ...['note', 'NOTE 39', 'absent', '%%%', '___', 'long words '.repeat(21)],
      ].filter((query) => query !== '' && Array.from(query).length <= ITEM_TITLE_CHARS_MAX);

      it('finds and ranks as if it had compared every title', async () => {
        expect(queries.length).toBeGreaterThan(800);
        // The smaller limit is reached in the order of the ranks, the larger one by comparing everything that is left.
        for (const limit of [3, 100])
          for (const query of queries) {
            const request = { reader, limit };
            expect([query, await run('title', query, request)]).toEqual([query, await meant('title', query, request)]);
          }
      }, 120_000);

      it('finds nothing in folders that the reader may not see, however many titles match', async () => {
        const { workspaceId } = reader;
        const folderId = await newFolder(workspaceId);
        await fill(
          { workspaceId, folderId },
          Array.from({ length: 400 }, (_, i) => ({ title: `Page ${i}`, text: 'x' })),
        );
        const own = { ...reader, folderIds: [folderId] };
        expect(await run('title', 'note', { reader: own, limit: 10 })).toEqual([]);
        expect(await run('title', 'e', { reader: own, limit: 10 })).toHaveLength(10);
        expect(await run('title', 'page', { reader: own, limit: 100 })).toHaveLength(100);
        await pool.query('delete from library.chunks where folder_id = $1', [folderId]);
      });
    });

    describe('the entries of the winners', () => {
      const ITEMS = 400;
      let workspace: Awaited<ReturnType<typeof newWorkspace>>;
      let items: string[];

      beforeAll(async () => {
        workspace = await newWorkspace();
        const { workspaceId, folderId } = workspace;
        const { rows } = await pool.query<{ id: string }>(
          `insert into library.items (id, workspace_id, folder_id, in_kb, kind, source_kind, created_by_agent_id, confidence,
           links, meta, wrapped_key, chunk_count, retention, position, created_at, updated_at)
         select gen_random_uuid(), $1, $2, true, 'knowledge', 'agent', 'a', 80, '[]', '', '', 2, 'full', n, now(), now()
         from generate_series(1, ${ITEMS}) as n returning id`,
          [workspaceId, folderId],
        );
        items = rows.map(({ id }) => id);
        await pool.query(
          `insert into library.bodies (chunk_id, item_id, ordinal, text, text_hash, wrapped_key, tokens)
         select gen_random_uuid(), id, ordinal, '', '', '', 1 from unnest($1::uuid[]) as x(id), generate_series(0, 1) as ordinal`,
          [items],
        );
        await pool.query(
          `insert into library.chunks (id, workspace_id, folder_id, item_id, text_hash, superseded, tags, tokens, words)
         select chunk_id, $1, $2, item_id, '', false, '{}', 1, to_tsvector('simple', 'word' || ordinal)
         from library.bodies where item_id = any ($3)`,
          [workspaceId, folderId, items],
        );
      }, 60_000);

      const READ = `
      select relname as name, coalesce(seq_tup_read, 0)::int + coalesce(idx_tup_fetch, 0)::int as rows
      from pg_stat_xact_user_tables where schemaname = 'library' and relname in ('items', 'bodies', 'chunks', 'folders')`;

      it('are read by the ids of the items, however many items there are', async () => {
        const client = await pool.connect();
        try {
          await client.query('begin');
          const read = async () =>
            new Map(
              (await client.query<{ name: string; rows: number }>(READ)).rows.map(({ name, rows }) => [name, rows]),
            );
          const before = await read();
          const wanted = [items.slice(0, 3), [true, true, false], 'word1', ...folderReaderValues(workspace.reader)];
          const { rows } = await client.query<{ item_id: string; step: number }>(
            'select item_id, step from retrieval.item_entries($1, $2, $3, $4, $5, $6)',
            wanted,
          );
          const counts = new Map([...(await read())].map(([name, count]) => [name, count - before.get(name)!]));
          // Both chunks of every item: two with a match in the second one, and one that is shown from its beginning.
          expect(rows.map(({ step }) => step).sort()).toEqual([-1, -1, 0, 0, 0, 1]);
          expect([counts.get('items'), counts.get('folders')]).toEqual([3, 3]);
          expect(counts.get('chunks')).toBeLessThanOrEqual(12);
          expect(counts.get('bodies')).toBeLessThanOrEqual(12);
        } finally {
          await client.query('rollback');
          client.release();
        }
      });
    });

    /** Which plans were used, since EXPLAIN cannot look inside a function: the counters before and after. */
    describe('the plans of both legs', () => {
      const CHUNKS = 1_000;
      let workspace: Awaited<ReturnType<typeof newWorkspace>>;

      beforeAll(async () => {
        workspace = await newWorkspace();
        const often = (i: number): string => 'lamp '.repeat(i % 50 === 0 ? 20 : 1);
        const rows = Array.from({ length: CHUNKS }, (_, i) => ({
          title: `Lamp ${i} of many`,
          text: `${often(i)} keeper${i}`,
        }));
        await fill(workspace, rows);
      }, 60_000);

      const READ = `
    select pg_stat_get_xact_numscans('library.chunks_words'::regclass)::int as words,
           pg_stat_get_xact_numscans('library.chunks_titles'::regclass)::int as titles,
           pg_stat_get_xact_numscans('library.chunks_title_lengths'::regclass)::int as lengths,
           pg_stat_get_xact_numscans('library.chunks_workspace_id_folder_id_idx'::regclass)::int as folders,
           (select seq_scan::int from pg_stat_xact_user_tables where relid = 'library.chunks'::regclass) as sequential,
           (select idx_tup_fetch::int from pg_stat_xact_user_tables where relid = 'library.chunks'::regclass) as rows`;

      const readBy = async (leg: Leg, query: string, limit: number): Promise<Record<string, number>> => {
        const client = await pool.connect();
        try {
          await client.query('begin');
          const before = (await client.query<Record<string, number>>(READ)).rows[0]!;
          await client.query(callOf(leg), valuesOf(query, { reader: workspace.reader, limit }));
          const after = (await client.query<Record<string, number>>(READ)).rows[0]!;
          return Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - before[name]!]));
        } finally {
          await client.query('rollback');
          client.release();
        }
      };

      it('read the one chunk that has all words', async () => {
        expect(await readBy('fulltext', 'lamp keeper77', 10)).toEqual({
          ...{ words: 1, titles: 0, lengths: 0, folders: 0, sequential: 0 },
          rows: 1,
        });
      });

      it('read the chunks in which a common word occurs most, and no others', async () => {
        const read = await readBy('fulltext', 'lamp', 10);
        expect(read).toMatchObject({ titles: 0, folders: 0, sequential: 0 });
        // 20 chunks have it often; they are counted and then ranked.
        expect(read['rows']).toBeLessThanOrEqual(40);
      });

      it('read the titles that have the letters of the query', async () => {
        expect(await readBy('title', 'lamp 123 of', 10)).toEqual({
          ...{ words: 0, titles: 1, lengths: 0, folders: 0, sequential: 0 },
          rows: 1,
        });
      });

      it('read the titles in the order of their ranks if nearly all of them match', async () => {
        const byLength = { words: 0, lengths: 1, folders: 0, sequential: 0 };
        expect(await readBy('title', 'la', 10)).toEqual({ ...byLength, titles: 0, rows: 10 });
        // As many as sqrt(10 * 1000) were read by their letters before.
        expect(await readBy('title', 'of many', 10)).toEqual({ ...byLength, titles: 1, rows: 101 + 10 });
      });

      it('read every title for two letters that hardly any has', async () => {
        const read = await readBy('title', '77', 50);
        expect(read).toMatchObject({ titles: 0, lengths: 1, folders: 1, sequential: 0 });
        expect(read['rows']).toBeLessThanOrEqual(2 * CHUNKS);
      });

      it('read a small scope as a whole', async () => {
        const folderId = await newFolder(workspace.workspaceId);
        await fill({ ...workspace, folderId }, [{ title: 'Lamp', text: 'lamp', item: 5 }]);
        const reader = { ...workspace.reader, folderIds: [folderId] };
        const client = await pool.connect();
        try {
          await client.query('begin');
          const before = (await client.query<Record<string, number>>(READ)).rows[0]!;
          for (const leg of ['fulltext', 'title'] as const) {
            const { rows } = await client.query(callOf(leg), valuesOf('lamp', { reader, limit: 10 }));
            expect(rows).toHaveLength(1);
          }
          const after = (await client.query<Record<string, number>>(READ)).rows[0]!;
          expect([after['folders']! - before['folders']!, after['rows']! - before['rows']!]).toEqual([2, 2]);
        } finally {
          await client.query('rollback');
          client.release();
        }
      });
    });
  });
