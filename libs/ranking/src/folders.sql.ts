import { folderIsVisible } from '@cairn/access';
import { define, READER, READER_SQL } from './sql-function.js';

/** The folders that a reader may see, and how many chunks they hold. */
export const allowedFolders = define(
  'allowed_folders',
  `${READER},
  out folder_ids uuid[], out chunk_count bigint`,
  [],
  `
begin
  select coalesce(array_agg(f.id), '{}'), coalesce(sum(f.chunk_count), 0)
    into folder_ids, chunk_count
    from library.folders f
    where ${folderIsVisible('f', READER_SQL)};
end`,
  'record',
);

/** How a name refers to a folder `f`: by slug or by display name, ignoring case. */
export const GRAPH_IS_NAMED = 'lower(named.name) in (f.slug, lower(f.name))';
