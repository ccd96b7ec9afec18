import { VECTOR_DIMENSIONS } from '@cairn/contracts';
import type { Benchmark, Line } from './benchmark.js';
import type { Laboratory } from './laboratory.js';
import { EmbeddingEndpoint } from './peers/embedding-endpoint.js';
import { LanceDbPeer } from './peers/lancedb-peer.js';
import { diskLine, memoryLine, PeerStores, replayLine, startLine } from './peers/peer-costs.js';
import { PeerLibrary } from './peers/peer-library.js';
import { installPeers } from './peers/peer-packages.js';
import { PeerQueries } from './peers/peer-queries.js';
import { recallLines } from './peers/peer-recall.js';
import { hybridLine, p95Line, PeerRounds } from './peers/peer-rounds.js';
import { peerSizes, sizeText } from './peers/peer-sizes.js';
import { SqlitePeer, type SqliteModules } from './peers/sqlite-peer.js';
import { WordVectors } from './peers/word-vectors.js';
import type { SeededTexts } from './seeded-texts.js';
import { readWorkload, type Workload } from './workloads.js';

interface Libraries {
  readonly small: PeerLibrary;
  readonly shared: PeerLibrary;
  readonly large: PeerLibrary;
}

class PeersMeasurement {
  private readonly workload: Workload<'peers'> = readWorkload('peers');
  private readonly filler = new Set(readWorkload('words').glue);
  private readonly texts: SeededTexts;
  private readonly filled: PeerLibrary[] = [];

  constructor(
    private readonly laboratory: Laboratory,
    private readonly endpoint: EmbeddingEndpoint,
    private readonly queries: PeerQueries,
    private readonly load: Awaited<ReturnType<typeof installPeers>>,
  ) {
    this.texts = laboratory.texts();
  }

  static async start(laboratory: Laboratory): Promise<PeersMeasurement> {
    const { queries } = readWorkload('peers');
    const load = await installPeers(laboratory.log);
    const vectors = new WordVectors(VECTOR_DIMENSIONS, new Set(readWorkload('words').glue));
    const endpoint = await EmbeddingEndpoint.start(vectors);
    const asked = await PeerQueries.create(laboratory.texts(), queries, endpoint);
    return new PeersMeasurement(laboratory, endpoint, asked, load);
  }

  async lines(): Promise<Line[]> {
    const libraries = await this.libraries();
    const rounds = new PeerRounds(this.workload, this.queries);
    const lines: Line[] = [];
    for (const library of this.filled) lines.push(...(await this.readingLines(library, rounds)));
    lines.push(...(await this.growthLines(libraries, rounds)));
    lines.push(...this.sizeLines(libraries));
    lines.push(...(await this.writingLines(libraries)));
    return lines;
  }

  async close(): Promise<void> {
    for (const library of this.filled) await library.close();
    await this.endpoint.stop();
  }

  private async libraries(): Promise<Libraries> {
    const { workDir, log } = this.laboratory;
    const { selectivities, large } = this.workload;
    for (const size of peerSizes(this.workload, this.laboratory.chunksOr(large))) {
      const { texts, endpoint } = this;
      const openPeers = (folder: string) => this.openPeers(folder);
      const options = { workDir, size, texts, endpoint, selectivities, openPeers, log };
      this.filled.push(await PeerLibrary.fill(options));
    }
    return Object.fromEntries(this.filled.map((library) => [library.size.name, library])) as unknown as Libraries;
  }

  private async openPeers(folder: string) {
    const sqlite = { sqlite: this.load('@photostructure/sqlite'), vec: this.load('sqlite-vec') } as SqliteModules;
    const lance = await LanceDbPeer.open(() => this.load('@lancedb/lancedb'), folder);
    return [lance, SqlitePeer.open(sqlite, folder, this.filler)];
  }

  private async readingLines(library: PeerLibrary, rounds: PeerRounds): Promise<Line[]> {
    const lines: Line[] = [];
    await rounds.warm(library);
    for (const kind of ['cached', 'new'] as const)
      for (const concurrency of this.workload.concurrency) {
        this.laboratory.log(`${sizeText(library.size)}: hybrid, ${kind} queries, c=${concurrency}`);
        const measured = await rounds.hybrid(library, kind, concurrency);
        lines.push(hybridLine(library, this.workload, { kind, concurrency }, measured));
      }
    for (const concurrency of this.workload.concurrency)
      lines.push(await this.knowledgeLine(library, rounds, concurrency));
    this.laboratory.log(`${sizeText(library.size)}: recall`);
    return [...lines, ...(await recallLines(library, this.workload, this.queries.cached))];
  }

  private async knowledgeLine(library: PeerLibrary, rounds: PeerRounds, concurrency: number): Promise<Line> {
    this.laboratory.log(`${sizeText(library.size)}: search_knowledge, c=${concurrency}`);
    const sides = {
      hybrid: { library, tool: 'search_knowledge_base' },
      knowledge: { library, tool: 'search_knowledge' },
    };
    const { knowledge, hybrid } = await rounds.compare(sides, concurrency);
    const [id, what] = [
      `peers.knowledge.${library.size.name}.c${concurrency}`,
      `search_knowledge, ${sizeText(library.size)}`,
    ];
    const compared = { measured: knowledge!, base: hybrid!, baseName: 'hybrid' };
    return p95Line(id, `${what}, c=${concurrency}`, compared, this.workload.aim.knowledgeTimesHybridMax);
  }

  private async growthLines({ small, shared, large }: Libraries, rounds: PeerRounds): Promise<Line[]> {
    const { p95GrowthMax, p95SharedTimesAloneMax } = this.workload.aim;
    const tool = 'search_knowledge_base';
    const compared = async (id: string, library: PeerLibrary, timesMax: number): Promise<Line> => {
      const sides = await rounds.compare({ base: { library: small, tool }, measured: { library, tool } });
      const pair = { measured: sides['measured']!, base: sides['base']!, baseName: sizeText(small.size) };
      return p95Line(
        `peers.growth.${id}`,
        `hybrid, ${sizeText(library.size)}, beside the small library`,
        pair,
        timesMax,
      );
    };
    this.laboratory.log('growth');
    return [await compared('large', large, p95GrowthMax), await compared('shared', shared, p95SharedTimesAloneMax)];
  }

  private sizeLines({ small, shared, large }: Libraries): Line[] {
    const { memoryBytesMax, diskBytesPerChunkMax } = this.workload.aim;
    return [
      memoryLine(small, memoryBytesMax.small),
      memoryLine(shared, undefined),
      memoryLine(large, memoryBytesMax.large),
      diskLine(large, diskBytesPerChunkMax),
    ];
  }

  /** The last line stops the large product. */
  private async writingLines({ small, large }: Libraries): Promise<Line[]> {
    const stores = new PeerStores(this.workload, this.texts);
    this.laboratory.log('stores and vectors');
    const lines = [await stores.storeLine(small, large), await stores.vectorsLine(large, this.endpoint)];
    this.laboratory.log('replay and start');
    lines.push(await replayLine(large, this.workload.aim.replayPerSecondMin));
    this.filled.splice(this.filled.indexOf(large), 1);
    await large.close();
    return [...lines, await startLine(large, this.workload, this.endpoint.env)];
  }
}

export const peersBenchmark: Benchmark = {
  name: 'peers',
  about: 'the same texts, vectors and queries in LanceDB and SQLite, in process, beside the product; and how it grows',
  run: async (laboratory) => {
    await laboratory.stopProduct();
    const measurement = await PeersMeasurement.start(laboratory);
    try {
      return await measurement.lines();
    } finally {
      await measurement.close();
    }
  },
};
