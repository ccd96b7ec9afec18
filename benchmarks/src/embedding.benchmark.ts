import type { Benchmark } from './benchmark.js';
import { percent, perSecond } from './format.js';
import type { Laboratory } from './laboratory.js';
import type { Product } from './product.js';
import { RawEncoder } from './raw-encoder.js';
import type { SeededText } from './seeded-texts.js';
import { median } from './statistics.js';
import { readWorkload } from './workloads.js';

interface EmbeddingRound {
  readonly tokens: number;
  /** Tokens per second of the bare model. */
  readonly raw: number;
  /** From the last store until the last vector can be searched: embedding alone. */
  readonly embedding: number;
  /** From the first store on: embedding and storing share the cores. */
  readonly endToEnd: number;
}

const secondsSince = (startMs: number): number => (performance.now() - startMs) / 1_000;

const measureRaw = async (encoder: RawEncoder, texts: readonly string[], tokens: number): Promise<number> => {
  const startMs = performance.now();
  await encoder.embed(texts);
  return tokens / secondsSince(startMs);
};

const measureProduct = async (
  product: Product,
  texts: readonly SeededText[],
  tokens: number,
  concurrency: number,
): Promise<Pick<EmbeddingRound, 'embedding' | 'endToEnd'>> => {
  const startMs = performance.now();
  await product.store(texts, concurrency);
  const storedMs = performance.now();
  const left = product.chunks - (await product.embedded());
  await product.untilEmbedded();
  return {
    embedding: (tokens * left) / texts.length / secondsSince(storedMs),
    endToEnd: tokens / secondsSince(startMs),
  };
};

const measure = async (laboratory: Laboratory, product: Product, encoder: RawEncoder): Promise<EmbeddingRound[]> => {
  const { rounds, chunksPerRound } = readWorkload('embedding');
  const { chunks, concurrency } = laboratory.library;
  const size = Math.max(1, Math.min(chunksPerRound, Math.floor(chunks / rounds)));
  const measured: EmbeddingRound[] = [];
  for (let round = 0; round < rounds; round++) {
    const texts = laboratory.takeTexts(size);
    const bodies = texts.map(({ body }) => body);
    const tokens = encoder.countTokens(bodies);
    const raw = await measureRaw(encoder, bodies, tokens);
    measured.push({ tokens, raw, ...(await measureProduct(product, texts, tokens, concurrency)) });
    laboratory.log(`embedding, round ${round + 1} of ${rounds}`);
  }
  return measured;
};

export const embeddingBenchmark: Benchmark = {
  name: 'embedding',
  about: 'tokens per second from stored text to searchable vector, beside the raw encoder on the same texts',
  run: async (laboratory: Laboratory) => {
    const { workers, aim } = readWorkload('embedding');
    const encoder = await RawEncoder.open(workers);
    try {
      const rounds = await measure(laboratory, await laboratory.running(), encoder);
      const middle = (of: (round: EmbeddingRound) => number): number => median(rounds.map(of));
      const value = middle(({ embedding, raw }) => embedding / raw);
      const endToEnd = perSecond(
        middle((round) => round.endToEnd),
        'tokens',
      );
      return [
        {
          id: 'embedding',
          what: `embedding, ${encoder.modelId}`,
          product: `${perSecond(
            middle((round) => round.embedding),
            'tokens',
          )}; while storing too ${endToEnd}`,
          floor: `raw encoder ${perSecond(
            middle((round) => round.raw),
            'tokens',
          )}`,
          ratio: { value, text: `${percent(value)} of its rate` },
          aim: { text: `>= ${percent(aim.rateShareMin)}`, isMet: value >= aim.rateShareMin },
          figures: { model: encoder.modelId, rounds },
        },
      ];
    } finally {
      await encoder.close();
    }
  },
};
