import type { Tier } from '@cairn/contracts';
import type { BlockLoader, BlockOf, Page, Reached } from './block-loader.js';
import { PAGE_ROWS } from './block-loader.js';
import type { PutJob } from './resident-protocol.js';
import { uuidBytes } from './uuid-bytes.js';

/** The same for every block that is loaded for these vectors. */
export const blockKey = ({ workspaceId, model, dims }: BlockOf): string => `${workspaceId}/${dims}/${model}`;

let blocksMade = 0;

/** How many times as many rows as wanted are read. Rows that are superseded or expired are found out by the database only. */
const WIDEN_FIRST = 1.1;
const WIDEN_FACTOR = 1.5;
const WIDEN_MAX = 16;

export interface BlockParts {
  readonly loader: BlockLoader;
  /** Adds a page to the memory; throws if that exceeds the budget. */
  readonly put: (job: PutJob) => Promise<unknown>;
}

/** What search knows of one block of vectors in memory, and how it follows the database. */
export class ResidentBlock {
  readonly key: string;
  /** Never used twice, so that no job for a block that was dropped reaches its successor. */
  readonly name: string;
  reached: Reached = { seq: 0, position: 0, versions: '' };
  tiers: ReadonlyMap<string, Tier> = new Map();
  widen = WIDEN_FIRST;
  isLoaded = false;
  /** It was found to exceed the budget. */
  isOversized = false;
  /** Set by the first search, for those that come meanwhile. */
  loading: Promise<void> | undefined;
  bytes = 0;
  /** When it last followed the database, or was compared with it. */
  followedAtMs = 0;
  /** Chunks that were forgotten while pages are read: a page that was read earlier must not bring them back. */
  private readonly forgotten = new Set<string>();
  private following: Promise<void> | undefined;

  constructor(
    readonly of: BlockOf,
    private readonly parts: BlockParts,
  ) {
    this.key = blockKey(of);
    this.name = `${this.key}/${++blocksMade}`;
  }

  get isFollowing(): boolean {
    return this.following !== undefined;
  }

  /** Follows the database to its present state. Callers at the same time share one run. */
  follow(nowMs: number): Promise<void> {
    this.followedAtMs = nowMs;
    this.following ??= this.run().finally(() => {
      this.following = undefined;
      this.forgotten.clear();
    });
    return this.following;
  }

  forget(chunkIds: readonly string[]): void {
    if (this.following) for (const id of chunkIds) this.forgotten.add(id);
  }

  /** More rows were needed than the memory proposed. */
  wasShort(): void {
    this.widen = Math.min(WIDEN_MAX, this.widen * WIDEN_FACTOR);
  }

  private async run(): Promise<void> {
    const { loader } = this.parts;
    // Before the first page: what moves meanwhile is then found as a change.
    if (this.isLoaded) await this.readPages((at) => loader.chunksAfter(this.of, at), 'position');
    else this.reached = { seq: 0, versions: await loader.versions(), position: await loader.position(this.of) };
    await this.readPages((at) => loader.vectorsAfter(this.of, at.seq), 'seq');
    this.tiers = (await loader.folders(this.of)).tiers;
    this.isLoaded = true;
  }

  private async readPages(read: (at: Reached) => Promise<Page>, place: 'seq' | 'position'): Promise<void> {
    for (;;) {
      const page = await read(this.reached);
      await this.keep(page);
      this.reached = { ...this.reached, [place]: page.last };
      if (page.rowCount < PAGE_ROWS) return;
    }
  }

  private async keep({ ids, folders, vectors }: Page): Promise<void> {
    if (folders.length === 0) return;
    const forgotten = uuidBytes([...this.forgotten]);
    await this.parts.put({ kind: 'put', block: this.name, dims: this.of.dims, ids, folders, vectors, forgotten });
  }
}
