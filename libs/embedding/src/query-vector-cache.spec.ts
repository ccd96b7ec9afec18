import { describe, expect, it } from '@jest/globals';
import { QueryVectorCache } from './query-vector-cache.js';

function counted(value: number) {
  const calls: number[] = [];
  const compute = () => {
    calls.push(value);
    return Promise.resolve(Float32Array.of(value));
  };
  return { calls, compute };
}

describe('QueryVectorCache', () => {
  it('computes a text once', async () => {
    const cache = new QueryVectorCache();
    const { calls, compute } = counted(1);
    const first = await cache.get('model', 'text', compute);
    expect(await cache.get('model', 'text', compute)).toBe(first);
    expect(calls).toHaveLength(1);
  });

  it('shares one computation between callers that ask at once', async () => {
    const cache = new QueryVectorCache();
    const { calls, compute } = counted(1);
    await Promise.all([1, 2, 3].map(() => cache.get('model', 'text', compute)));
    expect(calls).toHaveLength(1);
  });

  it('keeps the vectors of two models apart', async () => {
    const cache = new QueryVectorCache();
    await cache.get('one', 'text', counted(1).compute);
    expect((await cache.get('two', 'text', counted(2).compute))[0]).toBe(2);
  });

  it('does not keep a failure', async () => {
    const cache = new QueryVectorCache();
    await expect(cache.get('model', 'text', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect((await cache.get('model', 'text', counted(3).compute))[0]).toBe(3);
  });

  it('drops what was used longest ago when it is full', async () => {
    const cache = new QueryVectorCache(2);
    const { calls, compute } = counted(1);
    for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) await cache.get('model', text, compute);
    expect(calls).toHaveLength(4);
  });
});
