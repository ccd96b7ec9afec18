import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runLoad } from '../load.js';
import type { Host } from '../host.js';
import { Product } from '../product.js';
import type { SeededTexts } from '../seeded-texts.js';
import type { EmbeddingEndpoint } from './embedding-endpoint.js';
import type { Peer, PeerDocument } from './peer.js';
import type { PeerProfile } from './peer-profile.js';
import { chunksOf, sizeText, type PeerSize } from './peer-sizes.js';

const FILL_STEP = 2_000;
const CONCURRENCY = 16;

/** A part of the first workspace that a token sees, and the documents in it. */
export interface Share {
  readonly selectivity: number;
  readonly token: string;
  readonly documents: PeerDocument[];
}

interface Folder extends Share {
  readonly folderId: string | undefined;
}

export interface PeerLibraryOptions {
  readonly workDir: string;
  readonly profile: PeerProfile;
  readonly size: PeerSize;
  readonly texts: SeededTexts;
  readonly endpoint: EmbeddingEndpoint;
  readonly selectivities: readonly number[];
  readonly openPeers: (folder: string) => Promise<readonly Peer[]>;
  readonly log: (line: string) => void;
}

/** One size: a product and the peers, each on a folder of its own, with the same texts and vectors. */
export class PeerLibrary {
  readonly shares: Folder[] = [];
  private readonly tokens: string[] = [];

  private constructor(
    readonly size: PeerSize,
    readonly folder: string,
    readonly product: Product<Host>,
    readonly peers: readonly Peer[],
    private readonly options: PeerLibraryOptions,
  ) {}

  static async fill(options: PeerLibraryOptions): Promise<PeerLibrary> {
    const { workDir, profile, size, endpoint, openPeers, log } = options;
    const folder = join(workDir, `${profile.id}-${size.name}`);
    mkdirSync(folder, { recursive: true });
    const product = new Product(await profile.start(folder, endpoint.env, log));
    const library = new PeerLibrary(size, folder, product, await openPeers(folder), options);
    try {
      await library.openWorkspaces();
      await library.openShares();
      await library.fillAll();
    } catch (thrown) {
      await library.close();
      throw thrown;
    }
    return library;
  }

  get profile(): PeerProfile {
    return this.options.profile;
  }

  /** What its lines are about. */
  get what(): string {
    return `${sizeText(this.size)}${this.profile.suffix}`;
  }

  /** Of the workspace that is asked, the first one. */
  get token(): string {
    return this.tokens[0]!;
  }

  get workspace(): string {
    return workspaceName(0);
  }

  async close(): Promise<void> {
    for (const peer of this.peers) await peer.close();
    await this.product.stop();
  }

  private async openWorkspaces(): Promise<void> {
    this.tokens.push(this.product.token);
    for (let i = 1; i < this.size.workspaces; i++) {
      const made = await this.product.post<{ adminToken: string }>('/workspaces', {
        slug: workspaceName(i),
        name: workspaceName(i),
      });
      this.tokens.push(made.adminToken);
    }
  }

  private async openShares(): Promise<void> {
    for (const selectivity of this.options.selectivities) {
      const slug = `share-${String(selectivity).replace('.', '-')}`;
      const isWhole = selectivity === 1;
      const folderId = isWhole
        ? undefined
        : (await this.product.post<{ id: string }>('/folders', { slug, name: slug })).id;
      const seen = folderId === undefined ? { isUnscoped: true } : { folderIds: [folderId] };
      const grant = { name: slug, scopes: ['read'], rateLimitPerHour: 1_000_000, ...seen };
      const { token } = await this.product.post<{ token: string }>('/tokens', grant);
      this.shares.push({ selectivity, folderId, token, documents: [] });
    }
  }

  private async fillAll(): Promise<void> {
    const total = chunksOf(this.size);
    for (let from = 0; from < total; from += FILL_STEP) {
      await this.fillStep(from, Math.min(FILL_STEP, total - from));
      this.options.log(`${this.size.name}: ${Math.min(from + FILL_STEP, total)} of ${total} chunks stored everywhere`);
    }
    for (const peer of this.peers) await peer.ready();
  }

  private async fillStep(from: number, count: number): Promise<void> {
    const texts = this.options.texts.range(from, count);
    const ids = new Map<number, string>();
    const work = async (i: number): Promise<void> => {
      const { title, body } = texts[i]!;
      const folderId = this.folderFor(from + i)?.folderId;
      const item = { title, text: body, ...(folderId === undefined ? {} : { folderId }) };
      ids.set(i, await this.product.storeChunk(item, this.tokens[(from + i) % this.tokens.length]!));
    };
    await runLoad({ concurrency: CONCURRENCY, count, work });
    await this.product.untilEmbedded();
    const documents = texts.map(({ title, body }, i): PeerDocument => {
      const vector = this.options.endpoint.vectorOf(body);
      return { id: ids.get(i)!, workspace: workspaceName((from + i) % this.tokens.length), title, body, vector };
    });
    for (const peer of this.peers) await peer.add(documents);
    documents.forEach((document, i) => this.share(document, from + i));
  }

  private share(document: PeerDocument, index: number): void {
    if (document.workspace !== this.workspace) return;
    for (const share of this.shares)
      if (share.folderId === undefined || share === this.folderFor(index)) share.documents.push(document);
  }

  /** Every folder's share is spread evenly over the first workspace; the rest goes to the default folder. */
  private folderFor(index: number): Folder | undefined {
    if (index % this.tokens.length !== 0) return undefined;
    const own = index / this.tokens.length;
    const narrow = this.shares.filter(({ folderId }) => folderId !== undefined);
    return [...narrow]
      .sort((a, b) => a.selectivity - b.selectivity)
      .find(({ selectivity }, i) => (own + i) % Math.round(1 / selectivity) === 0);
  }
}

const workspaceName = (index: number): string => `workspace-${index}`;
