/** How the legs by words find chunks: by the keys of their words and titles, or in a small scope by their folder. */
import { isInFolders, type FolderReaderSql } from '@cairn/access';
import { ALLOWED, MATCHES_FILTER } from './leg-queries.sql.js';

/**
 * In so small a scope every chunk is read, which takes a few milliseconds whatever the query. The keys are of whole
 * workspaces: a common word would first be found in all the other folders.
 */
export const SCAN_CHUNKS_MAX = 300;

export const IS_VISIBLE = `${isInFolders('c', ALLOWED)}
          and ${MATCHES_FILTER}`;

/** "is true" hides a condition from the index on workspace and folder: these chunks are found by their keys. */
export const isVisibleWith = (keys: string, reader: FolderReaderSql = ALLOWED): string => `${keys}
          and (${isInFolders('c', reader)}) is true
          and ${MATCHES_FILTER}`;

export const READ_SCOPE = `select folder_ids, chunk_count into v_folders, v_scope
    from retrieval.allowed_folders(p_workspace, p_folders, p_sensitive);`;
