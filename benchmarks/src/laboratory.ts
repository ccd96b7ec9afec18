import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JudgedSet } from '@cairn/testing';
import { Product } from './product.js';
import { SeededTexts, type SeededText, type TextShape } from './seeded-texts.js';
import { readWorkload, type Workload } from './workloads.js';

export interface LaboratoryOptions {
  /** Overrides the workload's number. */
  readonly chunks?: number | undefined;
  /** Replaces Cairn's own set. */
  readonly datasets?: readonly JudgedSet[];
  /** Another checkout with its build, to measure beside this one. */
  readonly against?: string | undefined;
  readonly log: (line: string) => void;
}

/** Chunks stored between two progress lines. */
const SEED_STEP = 500;

/** The resources that the benchmarks of one run share: a working directory, one standalone, and its texts. */
export class Laboratory {
  readonly workDir = mkdtempSync(join(tmpdir(), 'cairn-bench-'));
  readonly library: Workload<'library'>;
  readonly datasets: readonly JudgedSet[];
  readonly against: string | undefined;
  readonly log: (line: string) => void;
  private readonly chunksAsked: number | undefined;
  private readonly words = readWorkload('words');
  private product: Product | undefined;
  private nextText = 0;

  constructor({ chunks, datasets = [], against, log }: LaboratoryOptions) {
    const library = readWorkload('library');
    this.library = { ...library, chunks: chunks ?? library.chunks };
    this.chunksAsked = chunks;
    this.datasets = datasets;
    this.against = against;
    this.log = log;
  }

  get home(): string {
    return join(this.workDir, 'home');
  }

  /** For a benchmark with a separate library. */
  chunksOr(usual: number): number {
    return this.chunksAsked ?? usual;
  }

  get seededChunks(): number {
    return this.product?.chunks ?? 0;
  }

  texts(shape: Partial<TextShape> = {}): SeededTexts {
    return new SeededTexts(this.words, { ...this.library, ...shape });
  }

  /** Texts that are not stored yet. */
  takeTexts(count: number, shape: Partial<TextShape> = {}): SeededText[] {
    const from = this.nextText;
    this.nextText += count;
    return this.texts(shape).range(from, count);
  }

  async running(): Promise<Product> {
    this.product ??= await Product.start(this.home);
    return this.product;
  }

  /** The standalone with all chunks of the library stored and embedded. */
  async seeded(): Promise<Product> {
    const product = await this.running();
    while (product.chunks < this.library.chunks) {
      const texts = this.takeTexts(Math.min(SEED_STEP, this.library.chunks - product.chunks));
      await product.store(texts, this.library.concurrency);
      await product.untilEmbedded();
      this.log(`${product.chunks} of ${this.library.chunks} chunks stored and embedded`);
    }
    return product;
  }

  async stopProduct(): Promise<void> {
    await this.product?.stop();
    this.product = undefined;
  }

  async close(): Promise<void> {
    try {
      await this.stopProduct();
    } finally {
      rmSync(this.workDir, { recursive: true, force: true });
    }
  }
}
