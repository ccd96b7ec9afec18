import { describe, expect, it } from '@jest/globals';
import type { Op } from '../../api/answers.js';
import { mergesOf } from './merges-of.js';

const op = (data: Op['data']): Op => ({ data }) as Op;
const merge = (mergeId: string, alias: string, canonical: string): Op =>
  op({ mergeId, alias: [{ name: alias }], canonical: [{ name: canonical }] });

describe('the merges of an entity', () => {
  const names = ['Alice Chen', 'Alice', 'A. Chen'];

  it('are the ones among its names', () => {
    const ops = [merge('1', 'Alice', 'Alice Chen'), merge('2', 'Bob', 'Bob Stone'), merge('3', 'A. Chen', 'Alice')];
    expect(mergesOf(names, ops, [])).toEqual([
      { id: '1', alias: 'Alice', canonical: 'Alice Chen' },
      { id: '3', alias: 'A. Chen', canonical: 'Alice' },
    ]);
  });

  it('leave out undone merges', () => {
    expect(mergesOf(names, [merge('1', 'Alice', 'Alice Chen')], [op({ mergeId: '1' })])).toEqual([]);
  });

  it('leave out merges whose names can no longer be read', () => {
    expect(mergesOf(names, [merge('1', '<forgotten>', 'Alice Chen'), op({ content: '<forgotten>' })], [])).toEqual([]);
  });

  it('take the first name that can still be read', () => {
    const twice = op({
      mergeId: '1',
      alias: [{ name: '<forgotten>' }, { name: 'Alice' }],
      canonical: [{ name: 'Alice Chen' }],
    });
    expect(mergesOf(names, [twice], [])).toHaveLength(1);
  });
});
