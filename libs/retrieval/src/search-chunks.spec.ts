import { describe, expect, it } from '@jest/globals';
import { fail, type SearchMode } from '@cairn/contracts';
import { sealText } from '@cairn/vault';
import type { Pool } from 'pg';
import type { Candidate } from './candidate.js';
import type { PostgresLegs } from './postgres-legs.js';
import { searchChunks } from './search-chunks.js';
import type { SearchContext } from './search-context.js';
import { NO_CANDIDATES } from './vector-candidates.port.js';

const KEY = new Uint8Array(32);
const SCOPE = { workspaceId: 'w', folderIds: null, seesSensitive: false };

interface Parts {
  readonly embed?: () => Promise<never>;
  readonly lexical?: () => Promise<Candidate[]>;
  readonly hybrid?: NonNullable<SearchContext['hybrid']>;
  readonly inTurn?: SearchContext['inTurn'];
  /** The chunks that still exist when they are loaded. */
  readonly current?: readonly string[];
}

const rowOf = (id: string) => ({
  chunk_id: id,
  item_id: 'i',
  folder_id: 'f',
  text: sealText(KEY, SCOPE.workspaceId, id, `text of ${id}`),
  title: 'A title',
});

/** Both legs find one chunk each; the loader of the winners records which were requested. */
const contextOf = (parts: Parts, loaded: unknown[] = []): SearchContext => ({
  pool: {
    connect: () =>
      Promise.resolve({
        query: ({ values }: { values: [string[]] }) => {
          loaded.push(values[0]);
          return Promise.resolve({ rows: values[0].filter((id) => parts.current?.includes(id)).map(rowOf) });
        },
        release: () => undefined,
      }),
  } as unknown as Pool,
  legs: { vector: () => Promise.resolve([{ chunkId: 'v', itemId: 'i', score: 0.9 }]) } as unknown as PostgresLegs,
  candidates: NO_CANDIDATES,
  lexical: { search: parts.lexical ?? (() => Promise.resolve([{ chunkId: 'b', itemId: 'j', score: 4 }])) },
  hybrid: parts.hybrid,
  vault: { unwrap: () => KEY },
  embed: parts.embed ?? (() => Promise.resolve({ model: 'm', vector: new Float32Array(2) })),
  inTurn: parts.inTurn ?? ((statement) => statement()),
  onStage: () => undefined,
});

const run = async (mode: SearchMode, parts: Parts) => {
  const loaded: unknown[] = [];
  const search = { query: 'q', mode, limit: 5, explain: false, reader: SCOPE };
  const { degraded } = await searchChunks(contextOf(parts, loaded), search);
  return { degraded, loaded };
};

const unavailable = (code: 'embedder.unavailable' | 'lexical.unavailable' | 'projection.unavailable') => () =>
  Promise.reject(fail(code, 'unavailable'));
const bug = () => Promise.reject(new Error('bug'));

describe('a chunk search', () => {
  it('uses both legs in hybrid mode', async () => {
    expect(await run('hybrid', {})).toEqual({ degraded: false, loaded: [['v', 'b']] });
  });

  it('runs both legs in one statement if one database has both', async () => {
    const found = [
      { leg: 'vector', hits: [{ id: 'x', score: 0.5 }] },
      { leg: 'bm25', hits: [{ id: 'y', score: 2 }] },
    ] as const;
    const hybrid = { search: () => Promise.resolve({ results: found, likely: [] }) };
    expect(await run('hybrid', { hybrid, lexical: bug })).toEqual({ degraded: false, loaded: [['x', 'y']] });
    expect(await run('hybrid', { hybrid, embed: unavailable('embedder.unavailable') })).toEqual({
      degraded: true,
      loaded: [['b']],
    });
    const gone = { search: unavailable('projection.unavailable') };
    await expect(run('hybrid', { hybrid: gone })).rejects.toMatchObject({ code: 'projection.unavailable' });
  });

  it('loads only those winners that did not come with the legs', async () => {
    const results = [
      { leg: 'vector', hits: ['x', 'y', 'z'].map((id, i) => ({ id, score: 0.9 - i / 10 })) },
      { leg: 'bm25', hits: [{ id: 'y', score: 2 }] },
    ] as const;
    const hitsWith = async (...came: string[]) => {
      const loaded: unknown[] = [];
      const hybrid = { search: () => Promise.resolve({ results, likely: came.map(rowOf) as never[] }) };
      const search = { query: 'q', mode: 'hybrid', limit: 2, explain: false, reader: SCOPE } as const;
      const { hits } = await searchChunks(contextOf({ hybrid, current: ['x', 'y', 'z'] }, loaded), search);
      return { hits: hits.map(({ chunkId, text }) => [chunkId, text]), loaded };
    };
    const hits = ['x', 'y'].map((id) => [id, `text of ${id}`]);
    expect(await hitsWith('x', 'y')).toEqual({ hits, loaded: [] });
    expect(await hitsWith('z', 'y')).toEqual({ hits, loaded: [['x']] });
    expect(await hitsWith()).toEqual({ hits, loaded: [['x', 'y']] });
  });

  it('takes a database turn for the keyword leg only if its index is in the database', async () => {
    const turns = async (mode: SearchMode, parts: Parts): Promise<number> => {
      let taken = 0;
      await run(mode, { ...parts, inTurn: (statement) => (taken++, statement()) });
      return taken;
    };
    const hybrid = { search: bug };
    expect(await turns('keyword', { hybrid })).toBe(2);
    expect(await turns('keyword', {})).toBe(1);
    expect(await turns('hybrid', {})).toBe(2);
  });

  it('answers by words alone while there is no vector', async () => {
    expect(await run('hybrid', { embed: unavailable('embedder.unavailable') })).toEqual({
      degraded: true,
      loaded: [['b']],
    });
  });

  it('answers by meaning alone while the keyword index is unavailable', async () => {
    expect(await run('hybrid', { lexical: unavailable('lexical.unavailable') })).toEqual({
      degraded: true,
      loaded: [['v']],
    });
  });

  it('fails when no leg can answer', async () => {
    await expect(
      run('hybrid', { embed: unavailable('embedder.unavailable'), lexical: unavailable('lexical.unavailable') }),
    ).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('fails in a mode whose only leg is unavailable', async () => {
    await expect(run('semantic', { embed: unavailable('embedder.unavailable') })).rejects.toMatchObject({
      code: 'embedder.unavailable',
    });
    await expect(run('keyword', { lexical: unavailable('lexical.unavailable') })).rejects.toMatchObject({
      code: 'lexical.unavailable',
    });
    expect(await run('keyword', { embed: unavailable('embedder.unavailable') })).toMatchObject({ degraded: false });
  });

  it('does not hide a bug behind a degraded answer', async () => {
    await expect(run('hybrid', { lexical: bug })).rejects.toMatchObject({ code: 'internal.defect' });
  });

  it('loads the next hits of the ranking while some are gone, up to the last candidate', async () => {
    const ranking = 'abcdefghijklmnop'.split('');
    const lexical = () =>
      Promise.resolve(ranking.map((chunkId, i) => ({ chunkId, itemId: 'i', score: ranking.length - i })));
    const keyword = async (current: readonly string[], limit: number) => {
      const loaded: string[][] = [];
      const search = { query: 'q', mode: 'keyword', limit, explain: true, reader: SCOPE } as const;
      const { hits } = await searchChunks(contextOf({ lexical, current }, loaded), search);
      for (const { score, explain } of hits) expect(explain!.legs[0]!.contribution).toBe(score);
      return { hits: hits.map(({ chunkId }) => chunkId).join(''), loaded: loaded.map((ids) => ids.join('')) };
    };
    expect(await keyword(ranking, 3)).toEqual({ hits: 'abc', loaded: ['abc'] });
    expect(await keyword(['a', 'e', 'f', 'g'], 3)).toEqual({ hits: 'aef', loaded: ['abc', 'def'] });
    expect(await keyword(['n'], 2)).toEqual({ hits: 'n', loaded: ['ab', 'cd', 'efgh', 'ijklmnop'] });
    expect(await keyword(['p'], 5)).toEqual({ hits: 'p', loaded: ['abcde', 'fghij', 'klmnop'] });
  });

  it('queries nothing for a token that may see nothing', async () => {
    const search = {
      query: 'q',
      mode: 'hybrid',
      limit: 5,
      explain: false,
      reader: { ...SCOPE, folderIds: [] },
    } as const;
    expect(await searchChunks(contextOf({ embed: bug, lexical: bug }), search)).toEqual({ hits: [], degraded: false });
  });
});
