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
  const source = configuredSource(config);
  if (source !== undefined) return openModelFrom(source, config, options);
  return OnnxEmbeddingModel.open(await fetchedModel(options), options);
};

/** From where a model of the configuration can be opened again: `directory:<path>`, `endpoint:<name>`, or its own id. */
export const sourceOf = (config: EmbeddingConfig, model: EmbeddingModel): string =>
  configuredSource(config) ?? model.id;

const BGE_SMALL = 'bge-small-en-v1.5-int8';
const MINI_LM = 'all-minilm-l6-v2';
const DIRECTORY = 'directory:';
const ENDPOINT = 'endpoint:';

/** Undefined for the default model or its fallback. */
const configuredSource = ({ EMBEDDING_URL, EMBEDDING_MODEL, CAIRN_MODEL_DIR }: EmbeddingConfig): string | undefined => {
  if (EMBEDDING_URL !== undefined) return `${ENDPOINT}${EMBEDDING_MODEL ?? ''}`;
  return CAIRN_MODEL_DIR === undefined ? undefined : `${DIRECTORY}${CAIRN_MODEL_DIR}`;
};

/** The sources that a person may name, as a message says it. */
export const MODEL_SOURCES = `${BGE_SMALL}, ${MINI_LM}, ${DIRECTORY}<path> or ${ENDPOINT}<name of a model at EMBEDDING_URL>`;

/** Opens a model by its source. The address and the key of an endpoint come from the configuration. */
export const openModelFrom = async (
  source: string,
  config: EmbeddingConfig,
  options: OpenEmbeddingModelOptions,
): Promise<EmbeddingModel> => {
  if (source.startsWith(ENDPOINT)) return openEndpoint(source.slice(ENDPOINT.length), config);
  return OnnxEmbeddingModel.open(await specFrom(source, options), options);
};

const specFrom = async (source: string, options: OpenEmbeddingModelOptions): Promise<OnnxModelSpec> => {
  if (source.startsWith(DIRECTORY)) return modelInDirectory(source.slice(DIRECTORY.length));
  if (source === BGE_SMALL) return bgeSmallIn(await ensureArtifact(bgeSmallModel, storeOf(options)));
  if (source === MINI_LM) return miniLmIn(await ensureArtifact(miniLmModel, storeOf(options)));
  throw fail('embedder.model_missing', `${source} names no model; it must be ${MODEL_SOURCES}`, { source });
};

const openEndpoint = (model: string, config: EmbeddingConfig): Promise<EmbeddingModel> => {
  const url = config.EMBEDDING_URL;
  if (url === undefined) {
    const message = `The model ${model} is at an endpoint, but EMBEDDING_URL is not set; set it to the endpoint's address.`;
    throw fail('embedder.model_missing', message);
  }
  if (model === '') {
    const message = 'EMBEDDING_URL is set but EMBEDDING_MODEL is not; set it to the name of a model of that endpoint.';
    throw fail('embedder.model_missing', message);
  }
  return OpenAiEmbeddingModel.open({ url, model, apiKey: config.EMBEDDING_API_KEY });
};

const storeOf = ({ cacheDir, log, run }: OpenEmbeddingModelOptions): EnsureArtifactOptions => ({
  cacheDir,
  onProgress: log,
  ...(run === undefined ? {} : { run }),
});

/** The default model, or the fallback with a clear log line if no mirror of the default answers. */
const fetchedModel = async (options: OpenEmbeddingModelOptions): Promise<OnnxModelSpec> => {
  const store = storeOf(options);
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
  id: BGE_SMALL,
  label: 'BGE-small-en-v1.5',
  weights: { kind: 'onnx', file: join(directory, 'model.onnx') },
  tokenizerFile: join(directory, 'tokenizer.json'),
  pooling: 'cls',
  queryPrefix: BGE_QUERY_PREFIX,
  maxTokens: 512,
});

const miniLmIn = (directory: string): OnnxModelSpec => ({
  id: MINI_LM,
  label: 'all-MiniLM-L6-v2',
  weights: { kind: 'tfjs', directory },
  tokenizerFile: join(directory, 'tokenizer.json'),
  pooling: 'mean',
  queryPrefix: '',
  maxTokens: 256,
});
