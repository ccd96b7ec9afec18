import { describe, expect, it } from '@jest/globals';
import { describeEmbeddingModel, dot } from './embedding-model.contract.js';
import { HashingEmbeddingModel } from './embedding-model.fake.js';

describeEmbeddingModel('HashingEmbeddingModel', () => Promise.resolve(new HashingEmbeddingModel()));

describe('HashingEmbeddingModel', () => {
  it('puts texts with common words closer together than texts without', async () => {
    const model = new HashingEmbeddingModel();
    const [query, near, far] = await Promise.all(
      ['consent flow', 'the consent flow at login', 'a cat sat down'].map((text) => model.embed(text)),
    );
    expect(dot(query!, near!)).toBeGreaterThan(dot(query!, far!) + 0.3);
  });
});
