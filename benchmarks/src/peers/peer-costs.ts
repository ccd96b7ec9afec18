import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Line } from '../benchmark.js';
import { cairn } from '../cairn-cli.js';
import { gigabytes, ms, percent, perSecond, roundText } from '../format.js';
import { sideBySide } from '../load.js';
import { startProduct } from '../product-start.js';
import type { SeededText, SeededTexts } from '../seeded-texts.js';
import { median, sum } from '../statistics.js';
import type { Workload } from '../workloads.js';
import type { EmbeddingEndpoint } from './embedding-endpoint.js';
import type { PeerLibrary } from './peer-library.js';
import { homeIn } from './peer-profile.js';
import { chunksOf, sizeText } from './peer-sizes.js';

/** Texts of these numbers are in no library. */
const UNUSED_TEXTS = 1_000_000;

const bytesOf = (folder: string): number =>
  sum(
    readdirSync(folder, { withFileTypes: true }).map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? bytesOf(path) : entry.isFile() ? statSync(path).size : 0;
    }),
  );

export const memoryLine = (library: PeerLibrary, bytesMax: number | undefined): Line => {
  const processes = library.product.memory();
  const bytes = sum(processes.map(({ rssBytes }) => rssBytes));
  return {
    id: `${library.profile.id}.memory.${library.size.name}`,
    what: `memory of all processes, ${library.what}`,
    product: gigabytes(bytes),
    floor: '',
    ...(bytesMax === undefined ? {} : { aim: { text: `<= ${gigabytes(bytesMax)}`, isMet: bytes <= bytesMax } }),
    figures: { processes },
  };
};

export const diskLine = (library: PeerLibrary, bytesMax: number | undefined): Line => {
  const parts = Object.entries(library.product.host.dataFolders);
  const bytes = Object.fromEntries(parts.map(([name, folder]) => [name, bytesOf(folder)]));
  const perChunk = sum(Object.values(bytes)) / chunksOf(library.size);
  return {
    id: `${library.profile.id}.disk.${library.size.name}`,
    what: `disk per chunk, ${library.what}`,
    product: `${(perChunk / 1_000).toFixed(1)} kB`,
    floor: '',
    ...(bytesMax === undefined ? {} : { aim: { text: `<= ${bytesMax / 1_000} kB`, isMet: perChunk <= bytesMax } }),
    figures: { bytes, perChunk },
  };
};

/** Changes the libraries, so it comes after everything that reads them. */
export class PeerStores {
  private next = UNUSED_TEXTS;

  constructor(
    private readonly workload: Workload<'peers'>,
    private readonly texts: SeededTexts,
  ) {}

  async storeLine(small: PeerLibrary, large: PeerLibrary): Promise<Line> {
    const { clients, perRound, rounds } = this.workload.stores;
    const store =
      ({ product }: PeerLibrary) =>
      async () => {
        const round = await product.store(this.take(perRound), clients);
        await product.untilEmbedded();
        return round;
      };
    await store(small)();
    await store(large)();
    const measured = await sideBySide(rounds, { small: store(small), large: store(large) });
    const value = measured.large.rate / measured.small.rate;
    const { storeShareMin } = this.workload.aim;
    return {
      id: `${large.profile.id}.store.c${clients}`,
      what: `store, c=${clients}, ${large.what}`,
      product: roundText(measured.large),
      floor: `${sizeText(small.size)} ${roundText(measured.small)}`,
      ratio: { value, text: `${percent(value)} of the rate` },
      aim: { text: `>= ${percent(storeShareMin)}`, isMet: value >= storeShareMin },
      figures: measured,
    };
  }

  /** Texts are stored while the endpoint is silent; then their vectors arrive as fast as they are processed. */
  async vectorsLine({ product, profile, what }: PeerLibrary, endpoint: EmbeddingEndpoint): Promise<Line> {
    const { vectors, stores, aim } = this.workload;
    const release = endpoint.hold();
    try {
      await product.store(this.take(vectors), stores.clients);
    } finally {
      release();
    }
    const startMs = performance.now();
    await product.untilEmbedded();
    const rate = (1_000 * vectors) / (performance.now() - startMs);
    return {
      id: `${profile.id}.vectors`,
      what: `vectors from the endpoint to the index, ${what}`,
      product: perSecond(rate, 'vectors'),
      floor: '',
      aim: { text: `>= ${aim.vectorsPerSecondMin}/s`, isMet: rate >= aim.vectorsPerSecondMin },
      figures: { rate, vectors },
    };
  }

  private take(count: number): SeededText[] {
    this.next += count;
    return this.texts.range(this.next - count, count);
  }
}

export const replayLine = async ({ product, profile, what }: PeerLibrary, perSecondMin: number): Promise<Line> => {
  const report = await cairn<{ ops: number; seconds: number }>(product.host.cliEnv, 'oplog', 'replay', 'vectors');
  const rate = report.ops / report.seconds;
  return {
    id: `${profile.id}.replay`,
    what: `replay of vectors, ${what}`,
    product: perSecond(rate, 'ops'),
    floor: '',
    aim: { text: `>= ${perSecondMin}/s`, isMet: rate >= perSecondMin },
    figures: report,
  };
};

/** Of a standalone that is stopped. */
export const startLine = async (
  { folder, profile, what }: PeerLibrary,
  { starts, aim }: Workload<'peers'>,
  env: Record<string, string>,
): Promise<Line> => {
  const measured = [];
  for (let round = 0; round < starts; round++) measured.push(await startProduct(homeIn(folder), env));
  const [firstMs, fullMs] = [
    median(measured.map((start) => start.firstMs)),
    median(measured.map((start) => start.fullMs)),
  ];
  return {
    id: `${profile.id}.start`,
    what: `start to first answer, home with ${what}`,
    product: `${ms(firstMs)}, with vectors ${ms(fullMs)}`,
    floor: '',
    aim: { text: `<= ${ms(aim.startMsMax)}`, isMet: firstMs <= aim.startMsMax },
    figures: { starts: measured },
  };
};
