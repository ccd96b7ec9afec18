import { join } from 'node:path';
import type { Benchmark, Line } from './benchmark.js';
import { EmptyServer } from './empty-server-process.js';
import { percent, roundText } from './format.js';
import type { Laboratory } from './laboratory.js';
import { runLoad, sideBySide, type Round } from './load.js';
import { McpClient } from './mcp-client.js';
import { toolCall } from './mcp-request.js';
import { Product } from './product.js';
import { RawJetStream } from './raw-jetstream.js';
import { readWorkload, type Era, type Workload } from './workloads.js';

interface Floors {
  readonly empty: EmptyServer;
  readonly raw: RawJetStream;
}

interface Case {
  readonly embedder: 'running' | 'stopped';
  readonly era: Era;
  readonly clients: number;
  readonly storesPerRound: number;
}

type Measured = Readonly<Record<'empty' | 'raw' | 'product', Round>>;

const emptyAnswers = {
  store_knowledge: {
    content: [{ type: 'text', text: 'Stored "An entry" as 00000000-0000-7000-8000-000000000000.' }],
    structuredContent: { id: '00000000-0000-7000-8000-000000000000', embeddingStatus: 'pending', position: 5000 },
  },
};

class StoreMeasurement {
  private readonly workload: Workload<'store'> = readWorkload('store');

  constructor(
    private readonly laboratory: Laboratory,
    private readonly floors: Floors,
  ) {}

  async lines(): Promise<Line[]> {
    const lines: Line[] = [];
    for (const embedder of this.workload.embedder) {
      const isStopped = embedder === 'stopped';
      const home = join(this.laboratory.workDir, 'home-without-embedder');
      const product = isStopped ? await Product.startWithoutEmbedder(home) : await this.laboratory.seeded();
      for (const size of this.workload.concurrency) {
        for (const era of this.workload.eras) lines.push(await this.line(product, { embedder, era, ...size }));
      }
      if (isStopped) await product.stop();
    }
    return lines;
  }

  private async line(product: Product, case_: Case): Promise<Line> {
    const { embedder, era, clients } = case_;
    const what = `store, ${era} era, c=${clients}, embedder ${embedder}`;
    this.laboratory.log(what);
    const measured = await this.measure(product, case_);
    const value = measured.product.rate / measured.empty.rate;
    const ofRaw = measured.product.rate / measured.raw.rate;
    const { aim } = this.workload;
    const aimed = { text: `>= ${percent(aim.rateShareMin)}`, isMet: value >= aim.rateShareMin };
    return {
      id: `store.${era}.c${clients}${embedder === 'stopped' ? '.embedder-stopped' : ''}`,
      what,
      product: roundText(measured.product),
      floor: `empty server ${roundText(measured.empty)}; raw publish ${Math.round(measured.raw.rate)}/s`,
      ratio: { value, text: `${percent(value)} of its rate, ${percent(ofRaw)} of raw publish` },
      ...(aim.clients === clients ? { aim: aimed } : {}),
      figures: { ...measured, ofRaw },
    };
  }

  private async measure(product: Product, case_: Case): Promise<Measured> {
    const { era, clients: concurrency, storesPerRound } = case_;
    const { empty, raw } = this.floors;
    const { wordsMin, wordsMax, floorRoundMs: durationMs, rounds } = this.workload;
    const client = new McpClient(empty.mcpUrl, concurrency);
    const samples = this.laboratory.texts({ wordsMin, wordsMax }).range(0, storesPerRound);
    const requests = samples.map(({ title, body, tag }) =>
      toolCall(era, 'store_knowledge', { title, body, tags: [tag] }),
    );
    const ask = (i: number): Promise<unknown> => client.post(requests[i % requests.length]!);
    const store = (): Promise<Round> => this.storeRound(product, case_);
    try {
      await runLoad({ concurrency, durationMs, work: ask });
      await store();
      return await sideBySide(rounds, {
        empty: () => runLoad({ concurrency, durationMs, cpuMs: empty.cpuMs, work: ask }),
        raw: () => runLoad({ concurrency, durationMs, work: () => raw.publish() }),
        product: store,
      });
    } finally {
      client.close();
    }
  }

  /**
   * Limited by number, and complete only when the embedder is done: stores are measured while the embedder works, as in
   * real use, and the floors afterwards on an idle machine.
   */
  private async storeRound(product: Product, { era, clients, storesPerRound, embedder }: Case): Promise<Round> {
    const { wordsMin, wordsMax } = this.workload;
    const texts = this.laboratory.takeTexts(storesPerRound, { wordsMin, wordsMax });
    const round = await product.store(texts, clients, era);
    if (embedder === 'running') await product.untilEmbedded();
    return round;
  }
}

export const storeBenchmark: Benchmark = {
  name: 'store',
  about: 'store_knowledge, beside an empty MCP server and raw JetStream publishes with fsync',
  run: async (laboratory: Laboratory) => {
    const { workDir } = laboratory;
    const empty = await EmptyServer.start({ workDir, answers: emptyAnswers });
    const raw = await RawJetStream.start(workDir, readWorkload('store').rawPublishBytes);
    try {
      return await new StoreMeasurement(laboratory, { empty, raw }).lines();
    } finally {
      await empty.stop();
      await raw.stop();
    }
  },
};
