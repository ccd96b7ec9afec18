import { describe, expect, it } from '@jest/globals';
import { fail, type QueryVector } from '@cairn/contracts';
import { QueryVectors } from './query-vectors.js';

const answer = (model: string, ...values: number[]): QueryVector => ({
  model,
  dims: values.length,
  vector: Buffer.from(Float32Array.from(values).buffer).toString('base64'),
});

const counting = (...answers: (QueryVector | Error)[]) => {
  let asked = 0;
  const ask = (): Promise<QueryVector> => {
    const next = answers[Math.min(asked++, answers.length - 1)]!;
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  };
  return { ask, count: () => asked };
};

describe('query vectors', () => {
  it('are cached for at most ten minutes', async () => {
    let minutes = 1;
    const vectors = new QueryVectors(10, { now: () => minutes * 60_000 });
    const { ask, count } = counting(answer('m', 1));
    for (const [then, asked] of [
      [1, 1],
      [10, 1],
      [12, 2],
    ] as const) {
      minutes = then;
      await vectors.get('a', ask);
      expect([then, count()]).toEqual([then, asked]);
    }
  });

  it('are requested once per text, even by concurrent callers', async () => {
    const vectors = new QueryVectors();
    const { ask, count } = counting(answer('m', 0.5, -1));
    const [first, second] = await Promise.all([vectors.get('a', ask), vectors.get('a', ask)]);
    expect(first).toEqual({ model: 'm', vector: Float32Array.from([0.5, -1]) });
    expect(second).toBe(first);
    await vectors.get('a', ask);
    expect(count()).toBe(1);
  });

  it.each(['service.timeout', 'embedder.refused'] as const)(
    'report after %s that the embedder is unavailable',
    async (code) => {
      const vectors = new QueryVectors();
      const { ask, count } = counting(fail(code, 'no'), answer('m', 1));
      await expect(vectors.get('a', ask)).rejects.toMatchObject({ code: 'embedder.unavailable' });
      await expect(vectors.get('a', ask)).resolves.toMatchObject({ model: 'm' });
      expect(count()).toBe(2);
    },
  );

  it('of an old model are dropped when an answer has another model', async () => {
    const vectors = new QueryVectors();
    const old = counting(answer('old', 1));
    await vectors.get('a', old.ask);
    await vectors.get('b', counting(answer('new', 2)).ask);
    await expect(vectors.get('a', counting(answer('new', 3)).ask)).resolves.toMatchObject({ model: 'new' });
  });

  it('of an old model are dropped when searches use another one', async () => {
    const vectors = new QueryVectors();
    await vectors.get('a', counting(answer('old', 1)).ask);
    vectors.use('old');
    await expect(vectors.get('a', counting(answer('new', 2)).ask)).resolves.toMatchObject({ model: 'old' });
    vectors.use('new');
    await expect(vectors.get('a', counting(answer('new', 2)).ask)).resolves.toMatchObject({ model: 'new' });
  });

  it('do not disguise a defect as an outage', async () => {
    const { ask } = counting(fail('internal.defect', 'bug'));
    await expect(new QueryVectors().get('a', ask)).rejects.toMatchObject({ code: 'internal.defect' });
  });
});
