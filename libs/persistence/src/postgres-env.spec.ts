import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '@cairn/kernel';
import { bm25Env } from './postgres-env.js';

describe('the settings of BM25', () => {
  it('have defaults, and accept both ends of their range', () => {
    expect(loadConfig(bm25Env, {})).toEqual({ CAIRN_BM25_K1: 0.9, CAIRN_BM25_B: 0.4 });
    expect(loadConfig(bm25Env, { CAIRN_BM25_K1: '0.1', CAIRN_BM25_B: '0' })).toEqual({
      CAIRN_BM25_K1: 0.1,
      CAIRN_BM25_B: 0,
    });
    expect(loadConfig(bm25Env, { CAIRN_BM25_K1: '10', CAIRN_BM25_B: '1' })).toMatchObject({ CAIRN_BM25_K1: 10 });
  });

  it.each([
    ['CAIRN_BM25_K1', '0', '0.1 to 10'],
    ['CAIRN_BM25_K1', '10.1', '0.1 to 10'],
    ['CAIRN_BM25_K1', 'much', '0.1 to 10'],
    ['CAIRN_BM25_B', '-0.1', '0 to 1'],
    ['CAIRN_BM25_B', '1.1', '0 to 1'],
  ])('are rejected outside their range, with name and range: %s=%s', (name, value, range) => {
    expect(() => loadConfig(bm25Env, { [name]: value })).toThrow(
      `Bad environment:\n  ${name}: must be a number from ${range}`,
    );
  });
});
