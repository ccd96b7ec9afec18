import { bgeSmallModel, defaultCacheDir, ensureArtifact } from '@cairn/artifacts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { homedir } from 'node:os';
import { bitsOf, describeEmbeddingModel, dot } from './embedding-model.contract.js';
import type { EmbeddingModel } from './embedding-model.port.js';
import { openEmbeddingModel } from './open-embedding-model.js';

// Part of the cluster run, because the default model's first mirror is Maven, which a machine with only Node does not
// have.
const cacheDir = process.env['CAIRN_CACHE'] ?? defaultCacheDir(homedir());
const ignore = () => undefined;
const openDefault = () => openEmbeddingModel({}, { cacheDir, log: ignore });

const similarity = async (model: EmbeddingModel, a: string, b: string): Promise<number> =>
  dot(await model.embed(a, 'passage'), await model.embed(b, 'passage'));

describeEmbeddingModel('The default ONNX model', openDefault);

describe('the default model', () => {
  let model: EmbeddingModel;
  beforeAll(async () => {
    model = await openDefault();
  }, 120_000);
  afterAll(() => model.close());

  it('is BGE-small with 384 dimensions', () => {
    expect(model).toMatchObject({ id: 'bge-small-en-v1.5-int8', label: 'BGE-small-en-v1.5', dimensions: 384 });
  });

  it('puts a paraphrase near and an unrelated text far', async () => {
    expect(await similarity(model, 'explain the consent flow', 'user consent at /authorize')).toBeGreaterThan(0.7);
    expect(await similarity(model, 'explain the consent flow', 'The cat sat on the mat')).toBeLessThan(0.5);
  });

  it('embeds a query differently from a passage, and ranks the answer first', async () => {
    const query = await model.embed('how do we rotate keys', 'query');
    expect(bitsOf(query)).not.toBe(bitsOf(await model.embed('how do we rotate keys', 'passage')));
    const answers = ['A new signing key is made every 90 days.', 'Lunch is at noon.', 'The lock on the door is old.'];
    const scores = await Promise.all(answers.map(async (text) => dot(query, await model.embed(text, 'passage'))));
    expect(scores.indexOf(Math.max(...scores))).toBe(0);
  });

  it('reads the first 512 tokens of a long text, and no more', async () => {
    const start = 'op '.repeat(510);
    const long = await model.embed(`${start} and then something else entirely`, 'passage');
    expect(bitsOf(long)).toBe(bitsOf(await model.embed(start, 'passage')));
  });

  it('is also loaded from a directory of the user, with the same vectors', async () => {
    const directory = await ensureArtifact(bgeSmallModel, { cacheDir });
    const own = await openEmbeddingModel({ CAIRN_MODEL_DIR: directory }, { cacheDir, log: ignore, workerCount: 1 });
    const vector = await own.embed('the same text', 'query');
    await own.close();
    expect(bitsOf(vector)).toBe(bitsOf(await model.embed('the same text', 'query')));
  });
});
