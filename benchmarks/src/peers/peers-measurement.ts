import { VECTOR_DIMENSIONS } from '@cairn/contracts';
import type { Line } from '../benchmark.js';
import type { Laboratory } from '../laboratory.js';
import { EmbeddingEndpoint } from './embedding-endpoint.js';
import { LanceDbPeer } from './lancedb-peer.js';
import { diskLine, memoryLine, PeerStores, replayLine, startLine } from './peer-costs.js';
import { PeerLibrary } from './peer-library.js';
import { installPeers } from './peer-packages.js';
import type { PeerProfile } from './peer-profile.js';
import { PeerQueries } from './peer-queries.js';
import { recallLines } from './peer-recall.js';
import { hybridLine, p95Line, PeerRounds } from './peer-rounds.js';
import { peerSizes, sizeText } from './peer-sizes.js';
import { SqlitePeer, type SqliteModules } from './sqlite-peer.js';
import { WordVectors } from './word-vectors.js';
import type { SeededTexts } from '../seeded-texts.js';
import { readWorkload, type Workload } from '../workloads.js';

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
    private readonly profile: PeerProfile,
    private readonly endpoint: EmbeddingEndpoint,
    private readonly queries: PeerQueries,
    private readonly load: Awaited<ReturnType<typeof installPeers>>,
  ) {
    this.texts = laboratory.texts();
  }

  static async start(laboratory: Laboratory, profile: PeerProfile): Promise<PeersMeasurement> {
    const { queries } = readWorkload('peers');
    const load = await installPeers(laboratory.log);
    const vectors = new WordVectors(VECTOR_DIMENSIONS, new Set(readWorkload('words').glue));
    const endpoint = await EmbeddingEndpoint.start(vectors);
    const asked = await PeerQueries.create(laboratory.texts(), queries, endpoint);
    return new PeersMeasurement(laboratory, profile, endpoint, asked, load);
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
      const { profile, texts, endpoint } = this;
      const openPeers = (folder: string) => this.openPeers(folder);
      const options = { workDir, profile, size, texts, endpoint, selectivities, openPeers, log };
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
      `${this.profile.id}.knowledge.${library.size.name}.c${concurrency}`,
      `search_knowledge, ${library.what}`,
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
        `${this.profile.id}.growth.${id}`,
        `hybrid, ${library.what}, beside the small library`,
        pair,
        timesMax,
      );
    };
    this.laboratory.log('growth');
    return [await compared('large', large, p95GrowthMax), await compared('shared', shared, p95SharedTimesAloneMax)];
  }

  private sizeLines({ small, shared, large }: Libraries): Line[] {
    const { memoryBytesMax, diskBytesPerChunkMax } = this.workload.aim;
    const { isStandalone } = this.profile;
    return [
      memoryLine(small, isStandalone ? memoryBytesMax.small : undefined),
      memoryLine(shared, undefined),
      memoryLine(large, isStandalone ? memoryBytesMax.large : undefined),
      diskLine(large, isStandalone ? diskBytesPerChunkMax : undefined),
    ];
  }

  /** The last line stops the large product. The services of a cluster start one by one, so it has no such line. */
  private async writingLines({ small, large }: Libraries): Promise<Line[]> {
    const stores = new PeerStores(this.workload, this.texts);
    this.laboratory.log('stores and vectors');
    const lines = [await stores.storeLine(small, large), await stores.vectorsLine(large, this.endpoint)];
    this.laboratory.log('replay');
    lines.push(await replayLine(large, this.workload.aim.replayPerSecondMin));
    if (!this.profile.isStandalone) return lines;
    this.laboratory.log('start');
    this.filled.splice(this.filled.indexOf(large), 1);
    await large.close();
    return [...lines, await startLine(large, this.workload, this.endpoint.env)];
  }
}

/** Starts a product of this profile for each size and measures it beside the peers. */
export const measurePeers = async (laboratory: Laboratory, profile: PeerProfile): Promise<Line[]> => {
  await laboratory.stopProduct();
  const measurement = await PeersMeasurement.start(laboratory, profile);
  try {
    return await measurement.lines();
  } finally {
    await measurement.close();
  }
};
