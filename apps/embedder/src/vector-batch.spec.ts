import { describe, expect, it } from '@jest/globals';
import type { VectorMessage } from '@cairn/contracts';
import { VectorBatch } from './vector-batch.js';

const vector = (chunkId: string) => ({ chunkId }) as VectorMessage;

const setUp = (publish: () => Promise<void> = () => Promise.resolve()) => {
  const published: string[][] = [];
  const batch = new VectorBatch((messages) => {
    published.push(messages.map(({ chunkId }) => chunkId));
    return publish();
  });
  return { batch, published };
};

/** A vector that is in progress until `come` or `fail` is called. */
const later = (chunkId: string) => {
  let come!: () => void;
  let fail!: (error: Error) => void;
  const made = new Promise<VectorMessage>((resolve, reject) => {
    come = () => resolve(vector(chunkId));
    fail = reject;
  });
  return { make: () => made, come, fail };
};

describe('vectors that are stored together', () => {
  it('do not delay a vector that is alone', async () => {
    const { batch, published } = setUp();
    await batch.store(() => Promise.resolve(vector('a')));
    expect(published).toEqual([['a']]);
  });

  it('wait for vectors in progress', async () => {
    const { batch, published } = setUp();
    const [a, b] = [later('a'), later('b')];
    const stored = [batch.store(a.make), batch.store(b.make)];
    a.come();
    b.come();
    await Promise.all(stored);
    expect(published).toEqual([['a', 'b']]);
  });

  it('wait for a limited time only', async () => {
    const { batch, published } = setUp();
    const slow = later('slow');
    const last = batch.store(slow.make);
    await batch.store(() => Promise.resolve(vector('a')));
    expect(published).toEqual([['a']]);
    slow.come();
    await last;
    expect(published).toEqual([['a'], ['slow']]);
  });

  it('are split into batches of a bounded size', async () => {
    const { batch, published } = setUp();
    await Promise.all(Array.from({ length: 80 }, (_, i) => batch.store(() => Promise.resolve(vector(`v${i}`)))));
    expect(published.map((ids) => ids.length)).toEqual([32, 32, 16]);
  });

  it('do not wait for a vector that fails, and are not affected by its failure', async () => {
    const { batch, published } = setUp();
    const broken = later('broken');
    const failing = batch.store(broken.make);
    const stored = batch.store(() => Promise.resolve(vector('a')));
    broken.fail(new Error('no model'));
    await expect(failing).rejects.toThrow('no model');
    await stored;
    expect(published).toEqual([['a']]);
  });

  it('fail together when they cannot be stored', async () => {
    const { batch } = setUp(() => Promise.reject(new Error('unavailable')));
    const stored = ['a', 'b'].map((id) => batch.store(() => Promise.resolve(vector(id))));
    const outcomes = await Promise.allSettled(stored);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
