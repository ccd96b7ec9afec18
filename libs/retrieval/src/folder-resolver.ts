import { folderReaderValues } from '@cairn/access';
import { readRows } from '@cairn/persistence';
import type { Pool } from 'pg';
import type { FolderResolver } from './opensearch-lexical-index.js';

export const postgresFolders =
  (pool: Pool): FolderResolver =>
  async (reader) => {
    const sql = 'select folder_ids from retrieval.allowed_folders($1, $2, $3)';
    const [row] = await readRows<{ folder_ids: string[] }>(pool, sql, folderReaderValues(reader));
    return row?.folder_ids ?? [];
  };
