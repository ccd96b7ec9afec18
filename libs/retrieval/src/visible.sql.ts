/** SQL expressions of who reads: parameters of a statement or of a function. */
export interface ReaderSql {
  readonly workspace: string;
  /** An array, null for the whole library. */
  readonly folders: string;
  readonly seesSensitive: string;
  readonly kbOnly: string;
}

/** That an item in its folder, both by their aliases, is there for the reader. */
const isVisible = (item: string, folder: string, { workspace, folders, seesSensitive, kbOnly }: ReaderSql): string =>
  `${item}.workspace_id = ${workspace}
        and (${folders}::uuid[] is null or ${item}.folder_id = any (${folders}))
        and (${seesSensitive} or ${folder}.tier <> 'sensitive')
        and (not ${kbOnly} or ${item}.in_kb)`;

/** Items `i` in folders `f` that the reader may see; what is out of scope is not found, like what does not exist. */
export const visibleItems = (reader: ReaderSql): string => `
  from library.items i
  join library.folders f on f.id = i.folder_id
  where ${isVisible('i', 'f', reader)}`;

/**
 * The newest replacement of the item `i`, null when the reader may not see it: a chain can lead out of the reader's
 * scope, and not even the id of what is there may come back.
 */
export const visibleHead = (reader: ReaderSql): string => `(
    select head.id
      from library.items head
      join library.folders head_folder on head_folder.id = head.folder_id
      where head.id = i.superseded_head_id
        and ${isVisible('head', 'head_folder', reader)}
  )`;
