import type { Pool } from 'pg';
import type { FolderResolver } from './opensearch-lexical-index.js';
import { readRows } from './read-rows.js';

export const postgresFolders =
  (pool: Pool): FolderResolver =>
  async ({ workspaceId, folderIds, seesSensitive }) => {
    const sql = 'select folder_ids from retrieval.allowed_folders($1, $2, $3)';
    const [row] = await readRows<{ folder_ids: string[] }>(pool, sql, [workspaceId, folderIds, seesSensitive]);
    return row?.folder_ids ?? [];
  };
