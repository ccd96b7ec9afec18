import type { Benchmark } from './benchmark.js';
import { percent, perSecond } from './format.js';
import type { Laboratory } from './laboratory.js';
import type { Product } from './product.js';
import { RawEncoder } from './raw-encoder.js';
import type { SeededText } from './seeded-texts.js';
import { median } from './statistics.js';
import { readWorkload } from './workloads.js';

const seconds = async (work: () => Promise<void>): Promise<number> => {
  const startMs = performance.now();
  await work();
  return (performance.now() - startMs) / 1_000;
};

/** End to end: from the first store to the last vector that can be searched. */
const throughProduct = (product: Product, texts: readonly SeededText[], concurrency: number): Promise<number> =>
  seconds(async () => {
    await product.store(texts, concurrency);
    await product.untilEmbedded();
  });

export const embeddingBenchmark: Benchmark = {
  name: 'embedding',
  about: 'tokens per second from store to searchable vector, beside the raw encoder on the same texts',
  run: async (laboratory: Laboratory) => {
    const { rounds, chunksPerRound, workers, aim } = readWorkload('embedding');
    const product = await laboratory.running();
    const raw = await RawEncoder.open(workers);
    const size = Math.max(1, Math.min(chunksPerRound, Math.floor(laboratory.library.chunks / rounds)));
    const measured: { tokens: number; productRate: number; rawRate: number }[] = [];
    try {
      for (let round = 0; round < rounds; round++) {
        const texts = laboratory.takeTexts(size);
        // The product embeds the title with the text, so the raw encoder gets both too.
        const bare = texts.map(({ title, body }) => `${title}\n${body}`);
        const tokens = raw.countTokens(bare);
        const rawRate = tokens / (await seconds(() => raw.embed(bare)));
        const productRate = tokens / (await throughProduct(product, texts, laboratory.library.concurrency));
        laboratory.log(
          `embedding round ${round + 1} of ${rounds}: ${Math.round(productRate)} of ${Math.round(rawRate)} tokens/s`,
        );
        measured.push({ tokens, productRate, rawRate });
      }
    } finally {
      await raw.close();
    }
    const productRate = median(measured.map((round) => round.productRate));
    const rawRate = median(measured.map((round) => round.rawRate));
    const value = median(measured.map((round) => round.productRate / round.rawRate));
    return [
      {
        id: 'embedding',
        what: `embedding, ${raw.modelId}`,
        product: perSecond(productRate, 'tokens'),
        floor: `raw encoder ${perSecond(rawRate, 'tokens')}`,
        ratio: { value, text: `${percent(value)} of its rate` },
        aim: { text: `>= ${percent(aim.rateShareMin)}`, isMet: value >= aim.rateShareMin },
        figures: { model: raw.modelId, chunksPerRound: size, rounds: measured },
      },
    ];
  },
};
