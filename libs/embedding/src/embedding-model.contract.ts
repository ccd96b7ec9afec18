import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EmbeddingModel } from './embedding-model.port.js';

const PASSAGE = 'The gateway checks the caller, then stamps one envelope.';
const NEIGHBOURS = ['short', 'A log is an append-only sequence of facts. '.repeat(20), 'Ünïcödé ✓ 漢字', '42'];

export const bitsOf = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('hex');

export const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, index) => sum + value * b[index]!, 0);

/** The contract of every embedding model, run on the fake and on the real ones. */
export const describeEmbeddingModel = (name: string, open: () => Promise<EmbeddingModel>): void => {
  describe(`${name} keeps the contract of an embedding model`, () => {
    let model: EmbeddingModel;
    beforeAll(async () => {
      model = await open();
    }, 120_000);
    afterAll(() => model.close());

    it.each(['query', 'passage'] as const)('gives a %s vector of the stated length and of norm 1', async (kind) => {
      for (const text of [PASSAGE, ...NEIGHBOURS, '']) {
        const vector = await model.embed(text, kind);
        expect(vector).toHaveLength(model.dimensions);
        expect(dot(vector, vector)).toBeCloseTo(1, 5);
      }
    });

    it('gives the same bits for the same text every time', async () => {
      const first = bitsOf(await model.embed(PASSAGE, 'passage'));
      for (let i = 0; i < 5; i++) expect(bitsOf(await model.embed(PASSAGE, 'passage'))).toBe(first);
    });

    it('gives the same bits regardless of concurrent requests', async () => {
      const alone = bitsOf(await model.embed(PASSAGE, 'passage'));
      const texts = [...NEIGHBOURS, PASSAGE, ...NEIGHBOURS, PASSAGE];
      const crowd = await Promise.all(texts.map((text) => model.embed(text, 'passage')));
      const [one, two] = crowd.filter((_vector, index) => texts[index] === PASSAGE).map(bitsOf);
      expect([one, two]).toEqual([alone, alone]);
    });

    it('rejects waiting calls and every later call once it is closed', async () => {
      const other = await open();
      await other.close();
      await expect(other.embed(PASSAGE, 'query')).rejects.toMatchObject({ code: 'embedder.unavailable' });
      await expect(other.close()).resolves.toBeUndefined();
    });
  });
};
