/**
 * Text to vector: the EmbeddingModel port, its providers (local ONNX, OpenAI-compatible endpoint), and the choice
 * between them. Never batches (a text's vector must not depend on its neighbours), never returns an unusable vector,
 * and never reads the environment.
 */
export { embeddingEnv, type EmbeddingConfig } from './embedding-env.js';
export { type EmbeddingModel, type TextKind } from './embedding-model.port.js';
export {
  CURRENT_RECIPE,
  embeddedText,
  parseVectorsId,
  vectorsId,
  type EmbeddedPassage,
  type Recipe,
} from './embedding-recipe.js';
export { OnnxEmbeddingModel, type OnnxEmbeddingModelOptions } from './onnx-embedding-model.js';
export { type OnnxModelSpec } from './onnx-model-spec.js';
export {
  MODEL_SOURCES,
  openEmbeddingModel,
  openModelFrom,
  sourceOf,
  type OpenEmbeddingModelOptions,
} from './open-embedding-model.js';
export { OpenAiEmbeddingModel, type OpenAiEmbeddingOptions } from './openai-embedding-model.js';
export { assertUsableVector } from './vector.js';
