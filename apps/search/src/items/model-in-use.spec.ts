import { describe, expect, it } from '@jest/globals';
import { fail } from '@cairn/contracts';
import { ModelInUse } from './model-in-use.js';

const asking = (...answers: (string | null | Error)[]) => {
  let [asked, now] = [0, 0];
  const query = (): Promise<unknown> => {
    const answer = answers[asked++]!;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve({ model: answer });
  };
  const model = new ModelInUse({ query } as never, { now: () => now });
  return { model, asked: () => asked, pass: (ms: number) => (now += ms) };
};

describe('the model in use', () => {
  it('is requested at most once in five seconds', async () => {
    const { model, asked, pass } = asking('old', 'new');
    expect(await Promise.all([model.id(), model.id()])).toEqual(['old', 'old']);
    pass(4_999);
    expect([await model.id(), asked()]).toEqual(['old', 1]);
    pass(1);
    expect([await model.id(), asked()]).toEqual(['new', 2]);
  });

  it('is unknown while the embedder is unavailable or has no model, and is not requested more often then', async () => {
    const { model, asked, pass } = asking(fail('service.timeout', 'late'), null);
    expect([await model.id(), await model.id(), asked()]).toEqual([null, null, 1]);
    pass(5_000);
    expect(await model.id()).toBeNull();
  });
});
