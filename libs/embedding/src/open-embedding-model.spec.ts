import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@cairn/kernel';
import { embeddingEnv } from './embedding-env.js';
import type { EmbeddingWorker } from './embedding-worker.js';
import { BGE_QUERY_PREFIX, type OnnxModelSpec } from './onnx-model-spec.js';
import { openEmbeddingModel } from './open-embedding-model.js';

let directory: string;
const specs: OnnxModelSpec[] = [];
const texts: string[] = [];

const echoWorker = (spec: OnnxModelSpec): EmbeddingWorker => {
  specs.push(spec);
  const infer = (text: string) => {
    texts.push(text);
    return Promise.resolve(Float32Array.of(1, 0));
  };
  const ended = new Promise<string>(() => undefined);
  return { ready: Promise.resolve(2), ended, infer, stop: () => Promise.resolve() };
};

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'embedding-'));
  specs.length = 0;
  texts.length = 0;
});

afterEach(() => rm(directory, { recursive: true, force: true }));

const open = (env: Record<string, string>) =>
  openEmbeddingModel(loadConfig(embeddingEnv, env), {
    cacheDir: join(directory, 'cache'),
    log: () => undefined,
    run: (command) => Promise.reject(new Error(`${command} is not installed or not on the PATH`)),
    startWorker: echoWorker,
  });

describe('openEmbeddingModel with CAIRN_MODEL_DIR', () => {
  it('treats a directory without a description as a model of the BGE kind, named after the directory', async () => {
    await writeFile(join(directory, 'some-model.onnx'), '');
    await writeFile(join(directory, 'some-tokenizer.json'), '{}');
    const model = await open({ CAIRN_MODEL_DIR: directory });
    await model.embed('ask', 'query');
    await model.embed('tell', 'passage');
    await model.close();
    expect(model).toMatchObject({ id: directory.split('/').at(-1), dimensions: 2 });
    expect(specs).toHaveLength(2);
    expect(specs[0]).toMatchObject({
      weights: { kind: 'onnx', file: join(directory, 'some-model.onnx') },
      pooling: 'cls',
      maxTokens: 512,
    });
    expect(texts).toEqual([`${BGE_QUERY_PREFIX}ask`, 'tell']);
  });

  it('follows the description file', async () => {
    await writeFile(join(directory, 'model.onnx'), '');
    await writeFile(join(directory, 'tokenizer.json'), '{}');
    const description = { id: 'mine', label: 'Mine', pooling: 'mean', queryPrefix: '', maxTokens: 128 };
    await writeFile(join(directory, 'cairn-model.json'), JSON.stringify(description));
    const model = await open({ CAIRN_MODEL_DIR: directory });
    await model.close();
    expect(specs[0]).toMatchObject(description);
    expect(model.label).toBe('Mine');
  });

  it('names the file that the directory lacks', async () => {
    await expect(open({ CAIRN_MODEL_DIR: directory })).rejects.toMatchObject({
      code: 'embedder.model_missing',
      message: expect.stringContaining('it needs a file model.onnx'),
    });
  });

  it('reports the fault of a description', async () => {
    await writeFile(join(directory, 'cairn-model.json'), '{"pooling":"max"}');
    await expect(open({ CAIRN_MODEL_DIR: directory })).rejects.toMatchObject({
      code: 'embedder.model_missing',
      message: expect.stringContaining('pooling'),
    });
  });

  it('reports a missing directory', async () => {
    await expect(open({ CAIRN_MODEL_DIR: join(directory, 'absent') })).rejects.toThrow('it cannot be read');
  });
});

describe("openEmbeddingModel without a user's own model", () => {
  it('names every mirror it tried and what to set when neither model is available', async () => {
    const error = await open({}).catch((caught: unknown) => caught as Error & { code: string });
    expect(error).toMatchObject({ code: 'embedder.model_missing', kind: 'unavailable' });
    const message = (error as Error).message;
    for (const part of ['mvn is not installed', 'npm is not installed', 'CAIRN_MODEL_DIR', 'EMBEDDING_URL']) {
      expect(message).toContain(part);
    }
  });

  it('asks for the model name that an endpoint needs', async () => {
    await expect(open({ EMBEDDING_URL: 'http://127.0.0.1:1/v1' })).rejects.toThrow('EMBEDDING_MODEL');
  });

  it('refuses an endpoint that is not an address', () => {
    expect(() => loadConfig(embeddingEnv, { EMBEDDING_URL: 'not an address' })).toThrow('EMBEDDING_URL');
  });
});
