import { defaultCacheDir, ensureArtifact, miniLmModel } from '@cairn/artifacts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeEmbeddingModel, dot } from './embedding-model.contract.js';
import type { EmbeddingModel } from './embedding-model.port.js';
import { openEmbeddingModel } from './open-embedding-model.js';

const cacheDir = process.env['CAIRN_CACHE'] ?? defaultCacheDir(homedir());
const ignore = () => undefined;
const openDefault = () => openEmbeddingModel({}, { cacheDir, log: ignore });

/** A cache that holds only the fallback model, and no client that could fetch the default one. */
const openFallback = async (offlineCache: string, log: (line: string) => void): Promise<EmbeddingModel> => {
  const source = await ensureArtifact(miniLmModel, { cacheDir });
  await cp(source, join(offlineCache, miniLmModel.name, miniLmModel.version), { recursive: true });
  const run = () => Promise.reject(new Error('no client here'));
  return openEmbeddingModel({}, { cacheDir: offlineCache, log, run });
};

const similarity = async (model: EmbeddingModel, a: string, b: string): Promise<number> =>
  dot(await model.embed(a, 'passage'), await model.embed(b, 'passage'));

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'embedding-int-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

describeEmbeddingModel('The ONNX model that is to be had here', openDefault);
describeEmbeddingModel('The fallback ONNX model', () => openFallback(scratch, ignore));

describe('a local model', () => {
  it('ends cleanly in the middle of bulk work and rejects all of it', async () => {
    const busy = await openDefault();
    const texts = Array.from({ length: 40 }, (_, index) => `${'a long passage '.repeat(100)}${index}`);
    const outcomes = texts.map((text) =>
      busy.embed(text, 'passage').then(
        () => 'embedded',
        (error: unknown) => (error as { code: string }).code,
      ),
    );
    await busy.embed('a query goes first', 'query');
    await busy.close();
    expect(
      (await Promise.all(outcomes)).filter((outcome) => outcome === 'embedder.unavailable').length,
    ).toBeGreaterThan(30);
  });

  it('reports why a damaged model file cannot be loaded', async () => {
    await writeFile(join(scratch, 'model.onnx'), 'not a model');
    await writeFile(join(scratch, 'tokenizer.json'), '{}');
    await expect(openEmbeddingModel({ CAIRN_MODEL_DIR: scratch }, { cacheDir, log: ignore })).rejects.toMatchObject({
      code: 'embedder.model_missing',
      message: expect.stringContaining('cannot be loaded'),
    });
  });
});

describe('the fallback model', () => {
  it('is used offline with a clear log line, and separates near from far', async () => {
    const lines: string[] = [];
    const model = await openFallback(scratch, (line) => lines.push(line));
    const near = await similarity(model, 'explain the consent flow', 'user consent at /authorize');
    const far = await similarity(model, 'explain the consent flow', 'The cat sat on the mat');
    await model.close();
    expect(model.id).toBe('all-minilm-l6-v2');
    expect(lines.at(-1)).toContain('using all-MiniLM-L6-v2 instead');
    expect(near).toBeGreaterThan(0.45);
    expect(far).toBeLessThan(0.15);
  });
});
