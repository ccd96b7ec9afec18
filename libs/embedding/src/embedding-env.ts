import { z } from 'zod';

/** The environment of the embedding model; a model's name is part of every stored vector and is therefore bounded. */
export const embeddingEnv = z.object({
  CAIRN_MODEL_DIR: z.string().optional().describe('A directory with an ONNX model, instead of the default model'),
  EMBEDDING_URL: z.url().optional().describe('Base address of an OpenAI-compatible API, instead of a local model'),
  EMBEDDING_MODEL: z.string().max(64).optional().describe('The model to ask for at EMBEDDING_URL'),
  EMBEDDING_API_KEY: z.string().optional().describe('Bearer token for EMBEDDING_URL (secret)'),
});

export type EmbeddingConfig = z.infer<typeof embeddingEnv>;
