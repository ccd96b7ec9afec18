import type { Tier } from '@cairn/contracts';
import { readPrepared, readRows } from '@cairn/persistence';
import type { Pool } from 'pg';

/** The vectors that one block holds. */
export interface BlockOf {
  readonly workspaceId: string;
  readonly model: string;
  readonly dims: number;
}

/** The newest message of the vectors, and the newest op of the library, that a block includes. */
export interface Reached {
  readonly seq: number;
  readonly position: number;
  /** Of the tables that it was read from. */
  readonly versions: string;
}

export interface Page {
  readonly rowCount: number;
  /** Where the next page begins. */
  readonly last: number;
  readonly ids: Uint8Array;
  readonly folders: readonly string[];
  readonly vectors: Uint8Array;
}

interface PageRow {
  readonly row_count: number;
  readonly last: string | null;
  readonly chunk_ids: Buffer | null;
  readonly folder_ids: string | null;
  readonly vectors: Buffer | null;
}

interface CheckpointRow {
  readonly name: string;
  readonly version: number;
  readonly position: string;
}

const versionsOf = (rows: readonly CheckpointRow[]): string =>
  rows.map(({ name, version }) => `${name} ${version}`).join(', ');

/** The embedded database serves no other client during a statement; a page takes it some 5 ms. */
export const PAGE_ROWS = 400;

const VECTORS = `select * from retrieval.vectors_after($1, $2, $3, $4, ${PAGE_ROWS})`;
const CHUNKS = `select * from retrieval.chunks_after($1, $2, $3, $4, $5, ${PAGE_ROWS})`;
const POSITION = 'select coalesce(max(position), 0)::text as position from library.chunks where workspace_id = $1';
const FOLDERS = 'select id, tier, chunk_count from library.folders where workspace_id = $1';
const CHECKPOINTS = `
select name, version, position from cairn.projections where name in ('library', 'vectors') order by name`;

const pageOf = ({ row_count: rowCount, last, chunk_ids, folder_ids, vectors }: PageRow, from: number): Page => ({
  rowCount,
  last: last === null ? from : Number(last),
  ids: new Uint8Array(chunk_ids ?? []),
  folders: folder_ids?.split(',') ?? [],
  vectors: new Uint8Array(vectors ?? []),
});

/** Reads vectors from the database, for the memory of search: one page at a time, however many blocks are loaded. */
export class BlockLoader {
  private lastPage: Promise<unknown> = Promise.resolve();

  constructor(private readonly pool: Pool) {}

  /** The next vectors after a message. */
  vectorsAfter({ workspaceId, model, dims }: BlockOf, seq: number): Promise<Page> {
    return this.page(VECTORS, [workspaceId, model, dims, seq], seq);
  }

  /** The next chunks with a text or a folder from after an op, whose vectors are not after the message. */
  chunksAfter({ workspaceId, model, dims }: BlockOf, { seq, position }: Reached): Promise<Page> {
    return this.page(CHUNKS, [workspaceId, model, dims, position, seq], position);
  }

  /** The newest op that gave a chunk its text or its folder. */
  async position({ workspaceId }: BlockOf): Promise<number> {
    const [row] = await readRows<{ position: string }>(this.pool, POSITION, [workspaceId]);
    return Number(row!.position);
  }

  async folders({ workspaceId }: BlockOf): Promise<{ tiers: ReadonlyMap<string, Tier>; chunkCount: number }> {
    const rows = await readRows<{ id: string; tier: Tier; chunk_count: number }>(this.pool, FOLDERS, [workspaceId]);
    const chunkCount = rows.reduce((sum, row) => sum + row.chunk_count, 0);
    return { tiers: new Map(rows.map(({ id, tier }) => [id, tier])), chunkCount };
  }

  async versions(): Promise<string> {
    return versionsOf(await this.checkpoints());
  }

  /**
   * Whether the database was set back to before this, or its tables were replaced by rebuilt ones. These may hold rows
   * that were missing before and are not newer than what a block has read, so it would never find them.
   */
  async isOutdated({ seq, position, versions }: Reached): Promise<boolean> {
    const rows = await this.checkpoints();
    const reached = new Map(rows.map((row) => [row.name, Number(row.position)]));
    const isBefore = (reached.get('vectors') ?? seq) < seq || (reached.get('library') ?? position) < position;
    return isBefore || versionsOf(rows) !== versions;
  }

  private checkpoints(): Promise<CheckpointRow[]> {
    return readRows<CheckpointRow>(this.pool, CHECKPOINTS, []);
  }

  private page(sql: string, values: readonly unknown[], from: number): Promise<Page> {
    const page = this.lastPage.then(async () => {
      const [row] = await readPrepared<PageRow>(this.pool, sql, values);
      return pageOf(row!, from);
    });
    this.lastPage = page.catch(() => undefined);
    return page;
  }
}
