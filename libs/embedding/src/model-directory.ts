import { fail } from '@cairn/contracts';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { BGE_QUERY_PREFIX, type OnnxModelSpec } from './onnx-model-spec.js';

const DESCRIPTION_FILE = 'cairn-model.json';

const Description = z.strictObject({
  id: z.string().min(1).max(64).optional(),
  label: z.string().min(1).max(64).optional(),
  pooling: z.enum(['cls', 'mean']).default('cls'),
  queryPrefix: z.string().max(512).default(BGE_QUERY_PREFIX),
  maxTokens: z.int().min(8).max(8192).default(512),
});

/** Describes the model in a user's own directory; without `cairn-model.json` it is assumed to be of the BGE kind. */
export const modelInDirectory = async (path: string): Promise<OnnxModelSpec> => {
  const directory = resolve(path);
  const names = await readdir(directory).catch((cause: unknown) => {
    throw bad(directory, 'it cannot be read', cause);
  });
  const description = await readDescription(directory, names);
  const id = description.id ?? basename(directory).slice(0, 64);
  return {
    id,
    label: description.label ?? id,
    weights: { kind: 'onnx', file: join(directory, oneFile(directory, names, 'model.onnx', '.onnx')) },
    tokenizerFile: join(directory, oneFile(directory, names, 'tokenizer.json', 'tokenizer.json')),
    pooling: description.pooling,
    queryPrefix: description.queryPrefix,
    maxTokens: description.maxTokens,
  };
};

const readDescription = async (directory: string, names: readonly string[]): Promise<z.infer<typeof Description>> => {
  if (!names.includes(DESCRIPTION_FILE)) return Description.parse({});
  try {
    return Description.parse(JSON.parse(await readFile(join(directory, DESCRIPTION_FILE), 'utf8')));
  } catch (cause) {
    const reason = cause instanceof z.ZodError ? z.prettifyError(cause) : String(cause);
    throw bad(directory, `${DESCRIPTION_FILE} is not valid: ${reason}`, cause);
  }
};

const oneFile = (directory: string, names: readonly string[], preferred: string, suffix: string): string => {
  if (names.includes(preferred)) return preferred;
  const [only, ...others] = names.filter((name) => name.endsWith(suffix));
  if (only !== undefined && others.length === 0) return only;
  throw bad(directory, `it needs a file ${preferred} (or exactly one that ends in ${suffix})`);
};

const bad = (directory: string, reason: string, cause?: unknown) =>
  fail('embedder.model_missing', `The model directory ${directory}: ${reason}.`, { directory }, cause);
