import type { Benchmark, Line } from './benchmark.js';
import { EmptyServer } from './empty-server-process.js';
import { percent, roundText } from './format.js';
import type { Laboratory } from './laboratory.js';
import { runLoad, sideBySide, type Round } from './load.js';
import { McpClient } from './mcp-client.js';
import { toolCall } from './mcp-request.js';
import type { Product } from './product.js';
import { RawJetStream } from './raw-jetstream.js';
import { readWorkload, type Era, type Workload } from './workloads.js';

interface Sides {
  readonly laboratory: Laboratory;
  readonly workload: Workload<'store'>;
  readonly product: Product;
  readonly empty: EmptyServer;
  readonly raw: RawJetStream;
}

interface Case {
  readonly era: Era;
  readonly clients: number;
  readonly storesPerRound: number;
}

type Measured = Readonly<Record<'empty' | 'raw' | 'product', Round>>;

/**
 * The product's rounds are bounded by number, and the next side waits until its embedder is done: stores are measured
 * with the embedder at work, as in life, and the floors on a quiet machine.
 */
const measure = async (sides: Sides, { era, clients, storesPerRound }: Case): Promise<Measured> => {
  const { laboratory, workload, product, empty, raw } = sides;
  const { wordsMin, wordsMax, floorRoundMs: durationMs, rounds } = workload;
  const client = new McpClient(empty.mcpUrl, clients);
  const samples = laboratory.texts({ wordsMin, wordsMax }).range(0, storesPerRound);
  const requests = samples.map(({ title, body, tag }) =>
    toolCall(era, 'store_knowledge', { title, body, tags: [tag] }),
  );
  const storeRound = async (): Promise<Round> => {
    const texts = laboratory.takeTexts(storesPerRound, { wordsMin, wordsMax });
    const round = await product.store(texts, clients, era);
    await product.untilEmbedded();
    return round;
  };
  const load = { concurrency: clients, durationMs };
  try {
    await storeRound();
    return await sideBySide(rounds, {
      empty: () => runLoad({ ...load, cpuMs: empty.cpuMs, work: (i) => client.post(requests[i % requests.length]!) }),
      raw: () => runLoad({ ...load, work: () => raw.publish() }),
      product: storeRound,
    });
  } finally {
    client.close();
  }
};

const lineOf = ({ aim }: Workload<'store'>, { era, clients }: Case, measured: Measured): Line => {
  const value = measured.product.rate / measured.empty.rate;
  const ofRaw = measured.product.rate / measured.raw.rate;
  const aimed = { text: `>= ${percent(aim.rateShareMin)}`, isMet: value >= aim.rateShareMin };
  return {
    id: `store.${era}.c${clients}`,
    what: `store, ${era} era, c=${clients}`,
    product: roundText(measured.product),
    floor: `empty server ${roundText(measured.empty)}; raw publish ${Math.round(measured.raw.rate)}/s`,
    ratio: { value, text: `${percent(value)} of its rate, ${percent(ofRaw)} of raw publish` },
    ...(aim.clients === clients ? { aim: aimed } : {}),
    figures: { ...measured, ofRaw },
  };
};

const emptyAnswers = {
  store_knowledge: {
    content: [{ type: 'text', text: 'Stored "An entry" as 00000000-0000-7000-8000-000000000000.' }],
    structuredContent: {
      id: '00000000-0000-7000-8000-000000000000',
      embeddingStatus: 'pending',
      position: 5000,
    },
  },
};

export const storeBenchmark: Benchmark = {
  name: 'store',
  about: 'store_knowledge, beside an empty MCP server and raw JetStream publishes with fsync',
  run: async (laboratory: Laboratory) => {
    const workload = readWorkload('store');
    const { workDir } = laboratory;
    const product = await laboratory.seeded();
    const empty = await EmptyServer.start({ workDir, answers: emptyAnswers });
    const raw = await RawJetStream.start(workDir, workload.rawPublishBytes);
    const sides = { laboratory, workload, product, empty, raw };
    const lines: Line[] = [];
    try {
      for (const size of workload.concurrency) {
        for (const era of workload.eras) {
          laboratory.log(`store, ${era} era, c=${size.clients}`);
          const measured = await measure(sides, { era, ...size });
          lines.push(lineOf(workload, { era, ...size }, measured));
        }
      }
    } finally {
      await empty.stop();
      await raw.stop();
    }
    return lines;
  },
};
