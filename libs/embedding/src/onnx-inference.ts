import { Tokenizer } from '@huggingface/tokenizers';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildMiniLmOnnx } from './minilm-onnx.js';
import type { OnnxModelSpec } from './onnx-model-spec.js';
import { InferenceSession, Tensor, type SessionOptions } from './onnx-runtime.js';
import { pool, truncate } from './pooling.js';
import { unitVector } from './vector.js';

/** The used part of the tokenizer; the package's own types refer to files that it does not ship. */
interface WordPieces {
  encode(text: string): { readonly ids: readonly number[] };
}
const WordPieceTokenizer = Tokenizer as unknown as new (definition: object, config: object) => WordPieces;

/** Two single-thread sessions beat one session with two threads, and one thread keeps results bit-reproducible. */
const SESSION_OPTIONS: SessionOptions = { intraOpNumThreads: 1, interOpNumThreads: 1 };

/** A loaded model: text in, unit vector out. One text per run, because int8 graphs quantise over the whole batch. */
export class OnnxInference {
  private constructor(
    private readonly session: InferenceSession,
    private readonly tokenizer: WordPieces,
    private readonly spec: OnnxModelSpec,
  ) {}

  static async load(spec: OnnxModelSpec): Promise<OnnxInference> {
    const session = await openSession(spec.weights);
    return new OnnxInference(session, await openTokenizer(spec.tokenizerFile), spec);
  }

  async infer(text: string): Promise<Float32Array> {
    const ids = truncate(this.tokenizer.encode(text).ids, this.spec.maxTokens);
    const outputs = await this.session.run(this.feedsOf(ids));
    const output = outputs[this.session.outputNames[0]!]!;
    return unitVector(pool(output.data as Float32Array, output.dims, this.spec.pooling));
  }

  /** Exports differ in the inputs that they declare; the runtime refuses both a missing and an unknown input. */
  private feedsOf(ids: readonly number[]): Record<string, Tensor> {
    const values: Record<string, BigInt64Array> = {
      input_ids: BigInt64Array.from(ids, BigInt),
      attention_mask: new BigInt64Array(ids.length).fill(1n),
      token_type_ids: new BigInt64Array(ids.length),
    };
    const feeds: Record<string, Tensor> = {};
    for (const name of this.session.inputNames) {
      const value = values[name];
      if (value === undefined) throw new Error(`the model asks for an unknown input ${name}`);
      feeds[name] = new Tensor('int64', value, [1, ids.length]);
    }
    return feeds;
  }
}

const openSession = async (weights: OnnxModelSpec['weights']): Promise<InferenceSession> => {
  if (weights.kind === 'onnx') return InferenceSession.create(weights.file, SESSION_OPTIONS);
  const topology: unknown = JSON.parse(await readFile(join(weights.directory, 'model.json'), 'utf8'));
  const bytes = await readFile(join(weights.directory, 'group1-shard1of1.bin'));
  return InferenceSession.create(buildMiniLmOnnx(topology, bytes), SESSION_OPTIONS);
};

const openTokenizer = async (file: string): Promise<WordPieces> => {
  const definition = JSON.parse(await readFile(file, 'utf8')) as object;
  // A file may request fixed-length padding; a single text needs none, and truncation happens here.
  return new WordPieceTokenizer({ ...definition, truncation: null, padding: null }, {});
};
