import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import type { Candidate } from './candidate.js';
import type { LegRequest, PostgresLegs } from './postgres-legs.js';
import { CURRENT_CHUNKS } from './chunk-filter.js';
import type { SearchContext } from './search-context.js';
import { searchItems, type ItemSearch } from './search-items.js';
import { NO_CANDIDATES } from './vector-candidates.port.js';

const SEARCH: ItemSearch = {
  query: 'q',
  limit: 3,
  filter: CURRENT_CHUNKS,
  minScore: 0,
  efSearch: 64,
  explain: true,
  reader: { workspaceId: 'w', folderIds: null, seesSensitive: false },
};

/** A library whose nearest chunks belong to one item each, except for the first item, which has `long` of them. */
const libraryWith = (long: number, total: number) => {
  const chunks = Array.from({ length: total }, (_, i): Candidate => ({
    chunkId: `c${i}`,
    itemId: i < long ? 'long' : `i${i}`,
    score: 1 - i / 100_000,
  }));
  const asked: { efSearch: number; limit: number }[] = [];
  const wanted: unknown[][] = [];
  const none = () => Promise.resolve([]);
  const legs = {
    vector: (_: unknown, efSearch: number, { limit }: LegRequest) => {
      asked.push({ efSearch, limit });
      return Promise.resolve(chunks.slice(0, limit));
    },
    words: none,
  };
  const context: SearchContext = {
    pool: {
      query: (_: string, values: unknown[]) => {
        wanted.push(values);
        return Promise.resolve({ rows: [] });
      },
    } as unknown as Pool,
    legs: legs as unknown as PostgresLegs,
    candidates: NO_CANDIDATES,
    lexical: { search: none },
    vault: { unwrap: () => new Uint8Array() },
    embed: () => Promise.resolve({ model: 'm', vector: new Float32Array(2) }),
    inTurn: (statement) => statement(),
    onStage: () => undefined,
  };
  return { context, asked, wanted };
};

describe('an item search', () => {
  it.each([1, 64, 200])('[D-30] walks the graph with the width of efSearch %i', async (efSearch) => {
    const { context, asked } = libraryWith(1, 500);
    await searchItems(context, { ...SEARCH, efSearch });
    expect(asked).toEqual([{ efSearch, limit: 100 }]);
  });

  it('reads at least 100 candidates, and three times as many as it returns', async () => {
    const { context, asked } = libraryWith(1, 500);
    await searchItems(context, { ...SEARCH, limit: 50 });
    expect(asked).toEqual([{ efSearch: 64, limit: 150 }]);
  });

  it.each([
    ['once', 99, 500, [100, 400], ['long', 'i99', 'i100']],
    ['twice', 399, 5_000, [100, 400, 1_600], ['long', 'i399', 'i400']],
    ['at most twice', 9_999, 10_000, [100, 400, 1_600], ['long']],
    ['and not at all when none are left', 90, 95, [100], ['long', 'i90', 'i91']],
  ])('requests more chunks when one item holds them, %s', async (_, long, total, limits, items) => {
    const { context, asked, wanted } = libraryWith(long, total);
    await searchItems(context, SEARCH);
    expect(asked.map(({ limit }) => limit)).toEqual(limits);
    expect(wanted[0]![0]).toEqual(items);
  });

  it('distinguishes a hit by meaning from a hit by words', async () => {
    const { context, wanted } = libraryWith(1, 2);
    const words = () => Promise.resolve([{ leg: 'fulltext', hits: [{ id: 'i1', score: 1 }] }]);
    await searchItems({ ...context, legs: { ...context.legs, words } as unknown as PostgresLegs }, SEARCH);
    expect(wanted[0]!.slice(0, 3)).toEqual([['i1', 'long'], [true, false], 'q']);
  });

  it('takes a turn for every statement, and none for the embedder', async () => {
    const { context } = libraryWith(1, 2);
    const [turns, stages]: [string[], string[]] = [[], []];
    const inTurn: SearchContext['inTurn'] = (statement) => {
      turns.push('turn');
      return statement();
    };
    await searchItems({ ...context, inTurn, onStage: (stage) => stages.push(stage) }, SEARCH);
    expect(stages.sort()).toEqual(['embed', 'load', 'scan', 'vector', 'words']);
    expect(turns).toHaveLength(3);
  });

  it('queries nothing for a token without folders', async () => {
    const { context, asked } = libraryWith(1, 2);
    const reader = { ...SEARCH.reader, folderIds: [] };
    expect(await searchItems(context, { ...SEARCH, reader })).toEqual({ hits: [], degraded: false });
    expect(asked).toEqual([]);
  });
});
