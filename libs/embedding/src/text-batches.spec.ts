import { describe, expect, it } from '@jest/globals';
import { TextBatches, TEXTS_AT_ONCE } from './text-batches.js';

const vectorOf = (text: string) => [text.length];
const refused = new Error('refused');

/** An endpoint that answers as the test decides; `sizes` are the numbers of texts in its requests. */
const setUp = (answer: (texts: readonly string[]) => Promise<number[][]>) => {
  const sizes: number[] = [];
  const batches = new TextBatches(
    (texts) => {
      sizes.push(texts.length);
      return answer(texts);
    },
    (thrown) => thrown === refused,
  );
  return { batches, sizes };
};

const good = (texts: readonly string[]): Promise<number[][]> => Promise.resolve(texts.map(vectorOf));
const texts = (count: number) => Array.from({ length: count }, (_, i) => 'x'.repeat(i));
const embedAll = (batches: TextBatches, all: readonly string[]) =>
  Promise.allSettled(all.map((text) => batches.embed(text)));

describe('texts that are embedded at the same time', () => {
  it('go together in ever larger requests, and each gets its own vector', async () => {
    const { batches, sizes } = setUp(good);
    const all = texts(500);
    expect(await embedAll(batches, all)).toEqual(all.map((text) => ({ status: 'fulfilled', value: vectorOf(text) })));
    expect(sizes.slice(0, 2)).toEqual([1, 1]);
    expect(Math.max(...sizes)).toBe(TEXTS_AT_ONCE);
  });

  it('go alone to an endpoint that takes long for one text', async () => {
    const { batches, sizes } = setUp(async (given) => {
      await new Promise((resolve) => setTimeout(resolve, 120 * given.length));
      return good(given);
    });
    await embedAll(batches, texts(6));
    expect(sizes).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('do not fail with one that is refused', async () => {
    const { batches } = setUp((given) => (given.includes('bad') ? Promise.reject(refused) : good(given)));
    const all = [...texts(50), 'bad', ...texts(50)];
    const outcomes = await embedAll(batches, all);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([{ status: 'rejected', reason: refused }]);
    expect(outcomes[50]).toMatchObject({ reason: refused });
  });

  it('go in smaller requests to an endpoint that does not take as many', async () => {
    const { batches, sizes } = setUp((given) => (given.length > 3 ? Promise.reject(new Error('500')) : good(given)));
    const outcomes = await embedAll(batches, texts(300));
    expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(sizes.filter((size) => size > 3).length).toBeLessThan(4);
  });

  it('all fail with a few requests while the endpoint is unavailable, and go together again afterwards', async () => {
    let isUp = true;
    const { batches, sizes } = setUp((given) => (isUp ? good(given) : Promise.reject(new Error('down'))));
    await embedAll(batches, texts(200));
    isUp = false;
    const before = sizes.length;
    const outcomes = await embedAll(batches, texts(64));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(sizes.slice(before).filter((size) => size > 1).length).toBeLessThanOrEqual(2);
    isUp = true;
    await embedAll(batches, texts(200));
    expect(sizes.slice(-3).every((size) => size > 1)).toBe(true);
  });
});
