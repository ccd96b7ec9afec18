import { folderIsVisible, folderReaderValues, readerOf, readerSql, seesNothing } from '@cairn/access';
import {
  STATS_GRAPHS_MAX,
  STATS_README_CHARS_MAX,
  type FolderStats,
  type Principal,
  type StatsAnswer,
} from '@cairn/contracts';
import { readRows } from '@cairn/persistence';
import type { Pool } from 'pg';
import type { ModelInUse } from '../items/model-in-use.js';
import { DatabaseSize } from './database-size.js';

interface FolderRow extends FolderStats {
  readonly workspaceId: string;
}

const WORKSPACE = 'select slug from library.workspaces where id = $1';
const DATABASE = 'select pg_database_size(current_database()) as bytes';

const FOLDERS = `
select id as "folderId", workspace_id as "workspaceId", slug, tier, left(readme, ${STATS_README_CHARS_MAX + 1}) as readme,
       item_count as items, chunk_count as chunks, token_count::float8 as tokens
  from library.folders f
  where ${folderIsVisible('f', readerSql(1))}
  order by slug
  limit ${STATS_GRAPHS_MAX}`;

const statsOf = ({ workspaceId, ...folder }: FolderRow): FolderStats => ({
  ...folder,
  placement: { workspaceId, tier: folder.tier },
});

/** The content of a workspace, from the counts that the library keeps: as fast with many chunks as with few. */
export class StatsReader {
  private readonly size: DatabaseSize;

  constructor(
    private readonly pool: Pool,
    private readonly modelInUse: Pick<ModelInUse, 'shown'>,
  ) {
    this.size = new DatabaseSize(async () => Number((await readRows<{ bytes: string }>(pool, DATABASE, []))[0]!.bytes));
  }

  async get(principal: Principal): Promise<StatsAnswer> {
    const [workspaces, folders, { label: embeddingModel, dims: embeddingDimensions }, databaseBytes] =
      await Promise.all([
        readRows<{ slug: string }>(this.pool, WORKSPACE, [principal.workspaceId]),
        this.folders(principal),
        this.modelInUse.shown(),
        this.size.bytes(),
      ]);
    const model = { embeddingModel, embeddingDimensions };
    return { workspaceSlug: workspaces[0]!.slug, folders: folders.map(statsOf), ...model, databaseBytes };
  }

  private async folders(principal: Principal): Promise<readonly FolderRow[]> {
    const reader = readerOf(principal, 'mcp');
    return seesNothing(reader) ? [] : readRows<FolderRow>(this.pool, FOLDERS, folderReaderValues(reader));
  }
}
