import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FolderReader } from '@cairn/access';
import { ITEM_TITLE_CHARS_MAX, QUERY_TERMS_MAX } from '@cairn/contracts';
import { PROJECTIONS } from '@cairn/projections';
import { SeededLibrary } from '@cairn/projections/testing';
import { installRanking } from '@cairn/ranking';
import type { Candidate } from './candidate.js';
import { CURRENT_CHUNKS } from './chunk-filter.js';
import { PostgresLegs, type LegRequest } from './postgres-legs.js';
import { describeWordLegs, runLeg } from './word-legs.contract.js';

let library: SeededLibrary;

beforeAll(async () => {
  library = await SeededLibrary.start();
  await installRanking(library.pool);
}, 60_000);
afterAll(() => library.stop());

const legs = {
  fulltext: (query: string, request: LegRequest) => runLeg(library.pool, 'fulltext', query, request),
  title: (query: string, request: LegRequest) => runLeg(library.pool, 'title', query, request),
};
const ids = (hits: readonly Candidate[]): string[] => hits.map(({ chunkId }) => chunkId);

const newWorkspace = async () => {
  const workspaceId = await library.workspace();
  const folderId = await library.folder({ workspaceId });
  const reader: FolderReader = { workspaceId, folderIds: null, seesSensitive: false };
  const item = async (title: string, text: string, more: object = {}) => {
    const seeded = await library.item({ workspaceId, folderId, title, chunks: [{ text }], ...more });
    return seeded.chunkIds[0]!;
  };
  return { workspaceId, folderId, reader, item };
};

describe('the full-text leg', () => {
  it('[D-32] matches all words as written, without stemming', async () => {
    const { reader, item } = await newWorkspace();
    const [singular, plural] = [await item('s', 'one glacier melts'), await item('p', 'many glaciers melt')];
    const found = async (words: string) => ids(await legs.fulltext(words, { reader, limit: 10 }));
    expect(await found('glacier')).toEqual([singular]);
    expect(await found('GLACIERS melt')).toEqual([plural]);
    expect(await found('glacier melt')).toEqual([]);
    expect(await found(`' & | ! :* ( <->`)).toEqual([]);
  });

  it('applies the filters of the other legs', async () => {
    const { reader, item, workspaceId } = await newWorkspace();
    const secret = await library.folder({ workspaceId, tier: 'sensitive' });
    await item('secret', 'dingo', { folderId: secret });
    await item('old', 'dingo', { supersededBy: workspaceId });
    await item('expired', 'dingo', { expiresAt: '2001-01-01T00:00:00Z' });
    const seen = await item('seen', 'dingo', { tags: ['t'] });
    expect(ids(await legs.fulltext('dingo', { reader, limit: 10 }))).toEqual([seen]);
    const filter = { ...CURRENT_CHUNKS, tags: ['t', 'u'] };
    expect(await legs.fulltext('dingo', { reader, filter, limit: 10 })).toEqual([]);
  });
});

describe('the words of a query', () => {
  const wordsOf = async (text: string): Promise<string[]> =>
    (await library.pool.query('select retrieval.query_words($1) as words', [text])).rows[0].words;

  it.each([
    ['one word 400 times', 'cairn '.repeat(400), ['cairn']],
    ['one-letter words', 'b a '.repeat(400), ['b', 'a']],
    ['punctuation of a tsquery', '& | ! ( ) :* <-> '.repeat(100), []],
    ['words between punctuation', "a:b&c|d!'e ".repeat(180), ['a', 'b', 'c', 'd', 'e']],
  ])('reach the engine once each: %s', async (_, text, words) => {
    expect(await wordsOf(text)).toEqual(words);
  });

  it('are the first ones if a query has more than the limit', async () => {
    const many = Array.from({ length: QUERY_TERMS_MAX + 5 }, (_, i) => `w${i}`);
    expect(await wordsOf(many.join(' '))).toEqual(many.slice(0, QUERY_TERMS_MAX));
  });

  it('match and rank like plainto_tsquery', async () => {
    const queries = [
      'the keeper and the lamp',
      'lamp lamp keeper',
      "the keeper's lamp",
      'state-of-the-art lamp',
      'see https://cairn.example/docs/lamp?x=1 or mail keeper@cairn.example',
      'C:\\lamp\\keeper /usr/share/lamp',
      'ÅNGSTRÖM lamp 3.14 -5',
      '灯台 lamp',
      '?!',
    ];
    const texts = [...queries, queries.join(' and '), 'the lamp, the lamp; a keeper of the lamp and the keeper'];
    const { rows } = await library.pool.query(
      `select q, t, ts_rank_cd(v, plainto_tsquery('simple', q)) as wanted,
         ts_rank_cd(v, retrieval.all_of_words(retrieval.query_words(q))) as got,
         v @@ plainto_tsquery('simple', q) as matches,
         coalesce(v @@ retrieval.all_of_words(retrieval.query_words(q)), false) as found
       from unnest($1::text[]) q, unnest($2::text[]) t, to_tsvector('simple', t) v`,
      [queries, texts],
    );
    expect(rows.filter(({ matches }) => matches).length).toBeGreaterThan(queries.length);
    for (const row of rows) {
      expect([row.q, row.t, row.found]).toEqual([row.q, row.t, row.matches]);
      if (row.matches) expect([row.q, row.t, row.got]).toEqual([row.q, row.t, row.wanted]);
    }
  });
});

describe('the title leg', () => {
  it('reads no title for a query that is longer than any title', async () => {
    const { reader, item } = await newWorkspace();
    const long = 'x'.repeat(ITEM_TITLE_CHARS_MAX);
    const chunkId = await item(long, 'y');
    expect(ids(await legs.title(long, { reader, limit: 10 }))).toEqual([chunkId]);
    expect(await legs.title(`${long}x`, { reader, limit: 10 })).toEqual([]);
  });

  it('[D-33] finds a part of a title regardless of case, the closest title first', async () => {
    const { reader, item } = await newWorkspace();
    const [long, exact] = [await item('All about Ångström units', 'x'), await item('ångström', 'x')];
    await item('Unrelated', 'about ångström');
    expect(ids(await legs.title('ÅNGSTRÖM', { reader, limit: 10 }))).toEqual([exact, long]);
    expect(ids(await legs.title('ABOUT', { reader, limit: 10 }))).toEqual([long]);
  });

  it('treats wildcards and backslashes literally', async () => {
    const { reader, item } = await newWorkspace();
    const [percent, underscore, slash] = [
      await item('100% sure', 'x'),
      await item('a_b', 'x'),
      await item('c:\\d', 'x'),
    ];
    await item('1000 sure', 'x');
    await item('axb', 'x');
    expect(ids(await legs.title('100%', { reader, limit: 10 }))).toEqual([percent]);
    expect(ids(await legs.title('a_b', { reader, limit: 10 }))).toEqual([underscore]);
    expect(ids(await legs.title('c:\\', { reader, limit: 10 }))).toEqual([slash]);
  });

  it('matches a title once per item', async () => {
    const { reader, workspaceId, folderId } = await newWorkspace();
    await library.item({ workspaceId, folderId, title: 'Platypus', chunks: [{ text: 'a' }, { text: 'b' }] });
    expect(await legs.title('platypus', { reader, limit: 10 })).toHaveLength(1);
  });
});

describeWordLegs('embedded', async () => {
  const own = await SeededLibrary.start();
  return { pool: own.pool, stop: () => own.stop() };
});

describe('a title', () => {
  it('is found where it was handed on to', async () => {
    const { workspaceId, folderId, reader: own } = await newWorkspace();
    const chunks = [{ text: 'a' }, { text: 'b' }];
    const { itemId, chunkIds } = await library.item({ workspaceId, folderId, title: 'Quokka island', chunks });
    await library.pool.query('update library.folders set chunk_count = 1000 where id = $1', [folderId]);
    expect(ids(await legs.title('okka', { reader: own, limit: 10 }))).toEqual([chunkIds[0]]);
    const data = { chunkId: chunkIds[0]!, itemId, folderId, receiptId: randomUUID() };
    await library.apply(workspaceId, { type: 'chunk.forgotten', data });
    expect(ids(await legs.title('okka', { reader: own, limit: 10 }))).toEqual([chunkIds[1]]);
  });
});

describe('both legs in one statement', () => {
  it('are those of the two functions, by item', async () => {
    const { reader, item } = await newWorkspace();
    await item('A lighthouse', 'the lamp of the lighthouse');
    await item('Lighthouse', 'a lamp');
    await item('Lamp', 'lighthouse');
    const request = { reader, limit: 10 };
    const byItem = (hits: readonly Candidate[]) => hits.map(({ itemId: id, score }) => ({ id, score }));
    for (const query of ['lighthouse', 'lamp', 'lighthouse lamp', 'nothing'])
      expect(await new PostgresLegs(library.pool).words(query, request)).toEqual([
        { leg: 'fulltext', hits: byItem(await legs.fulltext(query, request)) },
        { leg: 'title', hits: byItem(await legs.title(query, request)) },
      ]);
  });

  it('query nothing for a token without folders', async () => {
    const { reader } = await newWorkspace();
    const noPool = undefined as never;
    expect(await new PostgresLegs(noPool).words('x', { reader: { ...reader, folderIds: [] }, limit: 10 })).toEqual([]);
  });
});

describe('installed functions', () => {
  it('follow a schema that was swapped', async () => {
    const { reader, item } = await newWorkspace();
    await item('before', 'kiwi');
    expect(await legs.fulltext('kiwi', { reader, limit: 10 })).toHaveLength(1);
    await library.pool.query(`
      create schema library_next;
      create table library_next.chunks (like library.chunks including all);
      create table library_next.folders (like library.folders including all);
      insert into library_next.folders select * from library.folders;
      insert into library_next.chunks select * from library.chunks where false`);
    for (const sql of PROJECTIONS.find(({ name }) => name === 'library')!.indexes('library_next', {}))
      await library.pool.query(sql);
    await library.pool.query(`
      alter schema library rename to library_old;
      alter schema library_next rename to library`);
    expect(await legs.fulltext('kiwi', { reader, limit: 10 })).toEqual([]);
    await library.pool.query('alter schema library rename to library_next; alter schema library_old rename to library');
    expect(await legs.fulltext('kiwi', { reader, limit: 10 })).toHaveLength(1);
  });

  it('can be installed again', async () => {
    await installRanking(library.pool);
    const { reader } = await newWorkspace();
    expect(await legs.title('anything', { reader, limit: 10 })).toEqual([]);
  });
});
