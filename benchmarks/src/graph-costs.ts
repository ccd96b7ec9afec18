import { join } from 'node:path';
import type { Line } from './benchmark.js';
import { gigabytes, percent, roundText } from './format.js';
import type { GraphLibrary } from './graph-library.js';
import type { Laboratory } from './laboratory.js';
import { sideBySide, type Round } from './load.js';
import { Product } from './product.js';
import { sum } from './statistics.js';

const MB = 1e6;

interface Builds {
  readonly own: Product;
  readonly other: Product;
}

/** Both builds store the same texts in turns; each round ends when its followers are done. */
const storeRounds = (library: GraphLibrary, { own, other }: Builds): Promise<Record<'own' | 'other', Round>> => {
  const { clients, storesPerRound, rounds } = library.workload.store;
  const storer = (product: Product) => async (): Promise<Round> => {
    const texts = Array.from({ length: storesPerRound }, (_, i) => {
      const { title, text: body } = library.textAt(product.chunks + i);
      return { title, body, tag: 'graph' };
    });
    const round = await product.store(texts, clients);
    await product.untilFollowed('graph');
    return round;
  };
  // The first round of each build is not counted: it starts threads and fills caches.
  const sides = { other: storer(other), own: storer(own) };
  return sides
    .other()
    .then(sides.own)
    .then(() => sideBySide(rounds, sides));
};

const storeLine = (library: GraphLibrary, measured: Readonly<Record<'own' | 'other', Round>>): Line => {
  const { store, aim } = library.workload;
  const value = measured.own.rate / measured.other.rate;
  return {
    id: 'graph.store',
    what: `store, stateless era, c=${store.clients}, with the graph behind it`,
    product: roundText(measured.own),
    floor: `other build ${roundText(measured.other)}`,
    ratio: { value, text: `${percent(value)} of its rate` },
    aim: { text: `>= ${percent(aim.storeShareMin)}`, isMet: value >= aim.storeShareMin },
    figures: { ...measured },
  };
};

const bytesOf = (product: Product): number => sum(product.memory().map(({ rssBytes }) => rssBytes));

const memoryLine = ({ workload: { aim } }: GraphLibrary, { own, other }: Builds): Line => {
  const [bytes, otherBytes] = [bytesOf(own), bytesOf(other)];
  const more = bytes - otherBytes;
  return {
    id: 'graph.memory',
    what: `memory of all processes after ${own.chunks} stores`,
    product: gigabytes(bytes),
    floor: `other build ${gigabytes(otherBytes)}`,
    ratio: { value: bytes / otherBytes, text: `${more < 0 ? '' : '+'}${Math.round(more / MB)} MB` },
    aim: { text: `<= +${Math.round(aim.memoryBytesMax / MB)} MB`, isMet: more <= aim.memoryBytesMax },
    figures: { bytes, otherBytes, own: own.memory(), other: other.memory() },
  };
};

/** The cost of the graph per store and in memory, compared with an earlier build without it. */
export const graphCosts = async (laboratory: Laboratory, library: GraphLibrary, against: string): Promise<Line[]> => {
  laboratory.log(`graph: stores and memory beside ${against}`);
  const own = await Product.startWithoutEmbedder(join(laboratory.workDir, 'graph-own'));
  try {
    const home = join(laboratory.workDir, 'graph-other');
    const other = await Product.startWithoutEmbedder(home, {}, { root: against });
    try {
      const measured = await storeRounds(library, { own, other });
      const lines = [storeLine(library, measured), memoryLine(library, { own, other })];
      for (const { what, product, floor } of lines) laboratory.log(`${what}: ${product}; ${floor}`);
      return lines;
    } finally {
      await other.stop();
    }
  } finally {
    await own.stop();
  }
};
