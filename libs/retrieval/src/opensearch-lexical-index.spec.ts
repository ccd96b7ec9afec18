import { describe, expect, it } from '@jest/globals';
import type { OpenSearchClient } from '@cairn/persistence';
import type { Pool } from 'pg';
import { KeywordIndexInUse } from './keyword-index-in-use.js';
import { OpenSearchLexicalIndex } from './opensearch-lexical-index.js';

const reader = { workspaceId: 'w', folderIds: null, seesSensitive: false };

/** Search with the checkpoint and the indexes as a test sets them, and the names that were asked for. */
const setUp = () => {
  const state = { generation: 'a' as string | null, position: 5, rebuiltTo: 0, indexes: ['chunks-of-a'], now: 0 };
  const asked: string[] = [];
  const search = ({ index }: { index: string }) => {
    asked.push(index);
    return state.indexes.includes(index)
      ? Promise.resolve({ body: { hits: { hits: [{ _id: index, _score: 1, _source: { itemId: 'i' } }] } } })
      : Promise.reject(Object.assign(new Error('no such index'), { statusCode: 404 }));
  };
  const query = () => {
    const { generation, position, rebuiltTo } = state;
    return Promise.resolve({ rows: [{ generation, position: String(position), rebuilt_to: String(rebuiltTo) }] });
  };
  const inUse = new KeywordIndexInUse({ query } as unknown as Pool, { now: () => state.now });
  const index = new OpenSearchLexicalIndex({ search } as unknown as OpenSearchClient, inUse, () =>
    Promise.resolve(['f']),
  );
  const found = async () => (await index.search('word', reader, 10)).map(({ chunkId }) => chunkId);
  return { state, asked, found };
};

describe('the keyword index that searches use', () => {
  it('is the one that the checkpoint names, which is read once a second', async () => {
    const { state, found } = setUp();
    expect(await found()).toEqual(['chunks-of-a']);
    Object.assign(state, { generation: 'b', indexes: ['chunks-of-a', 'chunks-of-b'] });
    expect(await found()).toEqual(['chunks-of-a']);
    state.now += 1_000;
    expect(await found()).toEqual(['chunks-of-b']);
  });

  it('is found at once when it was replaced by a rebuilt one', async () => {
    const { state, found, asked } = setUp();
    await found();
    Object.assign(state, { generation: 'b', indexes: ['chunks-of-b'] });
    expect([await found(), asked]).toEqual([['chunks-of-b'], ['chunks-of-a', 'chunks-of-a', 'chunks-of-b']]);
  });

  it('is unavailable while it is lost, was never built, or is incomplete', async () => {
    const { state, found } = setUp();
    state.indexes = [];
    await expect(found()).rejects.toMatchObject({ code: 'lexical.unavailable' });
    Object.assign(state, { generation: null, now: 1_000 });
    await expect(found()).rejects.toMatchObject({
      code: 'lexical.unavailable',
      message: expect.stringContaining('built'),
    });
    Object.assign(state, { generation: 'a', indexes: ['chunks-of-a'], rebuiltTo: 6, now: 2_000 });
    await expect(found()).rejects.toMatchObject({
      code: 'lexical.unavailable',
      message: expect.stringContaining('is being rebuilt from the op-log: position 5 of 6'),
    });
    Object.assign(state, { position: 6, now: 3_000 });
    expect(await found()).toEqual(['chunks-of-a']);
  });
});
