import { bgeSmallModel, ensureArtifact, miniLmModel, type EnsureArtifactOptions } from '@cairn/artifacts';
import { fail } from '@cairn/contracts';
import { AppError } from '@cairn/kernel';
import { join } from 'node:path';
import type { EmbeddingConfig } from './embedding-env.js';
import type { EmbeddingModel } from './embedding-model.port.js';
import { modelInDirectory } from './model-directory.js';
import { OnnxEmbeddingModel, type OnnxEmbeddingModelOptions } from './onnx-embedding-model.js';
import { BGE_QUERY_PREFIX, type OnnxModelSpec } from './onnx-model-spec.js';
import { OpenAiEmbeddingModel } from './openai-embedding-model.js';

export interface OpenEmbeddingModelOptions extends OnnxEmbeddingModelOptions {
  readonly cacheDir: string;
  readonly log: (line: string) => void;
  readonly run?: EnsureArtifactOptions['run'];
}

/** Chooses the configured model and opens it; it is ready to answer when the promise resolves. */
export const openEmbeddingModel = async (
  config: EmbeddingConfig,
  options: OpenEmbeddingModelOptions,
): Promise<EmbeddingModel> => {
  if (config.EMBEDDING_URL !== undefined) return openEndpoint(config.EMBEDDING_URL, config);
  const spec =
    config.CAIRN_MODEL_DIR === undefined ? await fetchedModel(options) : await modelInDirectory(config.CAIRN_MODEL_DIR);
  return OnnxEmbeddingModel.open(spec, options);
};

const openEndpoint = (url: string, config: EmbeddingConfig): Promise<EmbeddingModel> => {
  const model = config.EMBEDDING_MODEL;
  if (model === undefined) {
    const message = 'EMBEDDING_URL is set but EMBEDDING_MODEL is not; set it to the name of a model of that endpoint.';
    throw fail('embedder.model_missing', message);
  }
  return OpenAiEmbeddingModel.open({ url, model, apiKey: config.EMBEDDING_API_KEY });
};

/** The default model, or the fallback with a clear log line if no mirror of the default answers. */
const fetchedModel = async (options: OpenEmbeddingModelOptions): Promise<OnnxModelSpec> => {
  const store: EnsureArtifactOptions = {
    cacheDir: options.cacheDir,
    onProgress: options.log,
    ...(options.run === undefined ? {} : { run: options.run }),
  };
  try {
    return bgeSmallIn(await ensureArtifact(bgeSmallModel, store));
  } catch (first) {
    try {
      const spec = miniLmIn(await ensureArtifact(miniLmModel, store));
      options.log('The default embedding model BGE-small-en-v1.5 is out of reach; using all-MiniLM-L6-v2 instead.');
      return spec;
    } catch (second) {
      throw modelMissing(first, second);
    }
  }
};

const modelMissing = (first: unknown, second: unknown): unknown => {
  if (!(first instanceof AppError && second instanceof AppError)) return first;
  return fail('embedder.model_missing', `${first.message}\n${second.message}`, {}, second);
};

const bgeSmallIn = (directory: string): OnnxModelSpec => ({
  id: 'bge-small-en-v1.5-int8',
  label: 'BGE-small-en-v1.5',
  weights: { kind: 'onnx', file: join(directory, 'model.onnx') },
  tokenizerFile: join(directory, 'tokenizer.json'),
  pooling: 'cls',
  queryPrefix: BGE_QUERY_PREFIX,
  maxTokens: 512,
});

const miniLmIn = (directory: string): OnnxModelSpec => ({
  id: 'all-minilm-l6-v2',
  label: 'all-MiniLM-L6-v2',
  weights: { kind: 'tfjs', directory },
  tokenizerFile: join(directory, 'tokenizer.json'),
  pooling: 'mean',
  queryPrefix: '',
  maxTokens: 256,
});
