import { isCurrent, isInFolders } from '@cairn/access';
import { AS_WRITTEN, define, NESTED_LOOPS, READER } from './sql-function.js';

/**
 * Statements over the findings in texts. Each of them joins the chunk of a row: the row counts only while the chunk's
 * text is unchanged, and the chunk is current and in a folder that the reader may see. Names, types, counts and
 * confidences are therefore those of the reader, and a row that lags behind its text shows nothing.
 */
const ALLOWED = { workspace: 'p_workspace', folders: 'v_folders' };

export const isVisible = (chunk: string): string => `${isInFolders(chunk, ALLOWED)} and ${isCurrent(chunk)}`;

/**
 * For a row that is found by its id or its words. "is true" leaves that index as the only way to it: without statistics the
 * planner intersects it with an index of the whole workspace.
 */
export const inWorkspace = (row: string): string => `(${row}.workspace_id = p_workspace) is true`;

/** The chunk of a row of mentions or edges, with its current text. */
export const joinChunk = (row: string): string =>
  `join library.chunks c on c.id = ${row}.chunk_id and c.text_hash = ${row}.text_hash and (${isVisible('c')}) is true`;

const IN_FOLDERS = `
declare
  v_folders uuid[];
begin
  select folder_ids into v_folders from retrieval.allowed_folders(p_workspace, p_folders, p_sensitive);`;

export const graphFunction = (name: string, parameters: string, query: string, returns: string): string =>
  define(
    name,
    parameters === '' ? READER : `${READER}, ${parameters}`,
    [NESTED_LOOPS, AS_WRITTEN],
    `${IN_FOLDERS}
  return query
  ${query.trim()};
end`,
    `table (${returns})`,
  );

export const isMentioned = (key: string): string => `exists (
      select from graph.mentions m ${joinChunk('m')}
      where m.workspace_id = p_workspace and m.entity_key = ${key})`;
