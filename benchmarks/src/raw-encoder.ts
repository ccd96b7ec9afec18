import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { bgeSmallModel, ensureArtifact, miniLmModel } from '@cairn/artifacts';
import { openEmbeddingModel, type EmbeddingModel, type TextKind } from '@cairn/embedding';
import { testCacheDir } from '@cairn/testing';

interface Tokenizer {
  encode(text: string): { readonly ids: readonly number[] };
}

/** The package's own declarations do not resolve under Node's module rules; this declares the part that is used. */
const { Tokenizer } = createRequire(import.meta.url)('@huggingface/tokenizers') as {
  Tokenizer: new (definition: object, config: object) => Tokenizer;
};

/** The floor of embedding: the product's model class alone. */
export class RawEncoder {
  private constructor(
    private readonly model: EmbeddingModel,
    private readonly tokenizer: Tokenizer,
  ) {}

  static async open(workerCount: number): Promise<RawEncoder> {
    const cacheDir = testCacheDir();
    const model = await openEmbeddingModel({}, { cacheDir, workerCount, log: () => undefined });
    const artifact = model.id.startsWith('bge') ? bgeSmallModel : miniLmModel;
    const directory = await ensureArtifact(artifact, { cacheDir });
    const definition = JSON.parse(readFileSync(join(directory, 'tokenizer.json'), 'utf8')) as object;
    return new RawEncoder(model, new Tokenizer({ ...definition, truncation: null, padding: null }, {}));
  }

  get modelId(): string {
    return this.model.id;
  }

  countTokens(texts: readonly string[]): number {
    return texts.reduce((total, text) => total + this.tokenizer.encode(text).ids.length, 0);
  }

  async embed(texts: readonly string[]): Promise<void> {
    await Promise.all(texts.map((text) => this.model.embed(text, 'passage')));
  }

  /** The vector of a text as the product would ask for it. */
  vectorOf(text: string, kind: TextKind): Promise<Float32Array> {
    return this.model.embed(text, kind);
  }

  close(): Promise<void> {
    return this.model.close();
  }
}
