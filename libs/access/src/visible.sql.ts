import type { FolderReader, Reader } from './reader.js';

/**
 * The rule of `visible.ts` as SQL text. The arguments are SQL: table aliases, and the parameters of a statement or of a
 * function. A statement on any table that refers to items joins `library.items` and `library.folders` and adds
 * `itemIsVisible` before it ranks, counts or limits. A statement that looks items up by id writes
 * `(itemIsVisible) is true`: otherwise the planner may use a condition for an index and read every item of the
 * workspace.
 */
export interface FolderReaderSql {
  readonly workspace: string;
  /** A uuid[]; null for every folder. */
  readonly folders: string;
  readonly seesSensitive: string;
}

export interface ReaderSql extends FolderReaderSql {
  /** `true` where nothing outside the knowledge base is ever shown, as in search. */
  readonly kbOnly: string | true;
}

/** A reader as statement parameters, numbered from `first`, in the order of the values below. */
export const readerSql = (first: number): ReaderSql => ({
  workspace: `$${first}`,
  folders: `$${first + 1}::uuid[]`,
  seesSensitive: `$${first + 2}`,
  kbOnly: `$${first + 3}`,
});

export const folderReaderValues = ({ workspaceId, folderIds, seesSensitive }: FolderReader) =>
  [workspaceId, folderIds, seesSensitive] as const;

export const readerValues = (reader: Reader) => [...folderReaderValues(reader), reader.kbOnly] as const;

/** The rule, or `true` where the flag lifts it. */
const unless = (flag: string | undefined, rule: string): string => (flag === undefined ? rule : `(${flag} or ${rule})`);

/** Whether a list of folders contains the folder with this id; a null list contains every folder. */
export const folderIsListed = (id: string, folders: string): string =>
  `(${folders} is null or ${id} = any (${folders}))`;

const seesFolder = (id: string, tier: string, { folders, seesSensitive }: FolderReaderSql): string =>
  `${folderIsListed(id, folders)}
      and (${seesSensitive} or ${tier} <> 'sensitive')`;

export const folderIsVisible = (folder: string, reader: FolderReaderSql): string =>
  `${folder}.workspace_id = ${reader.workspace}
      and ${seesFolder(`${folder}.id`, `${folder}.tier`, reader)}`;

/** By a column that holds whether something is in the knowledge base. */
export const inKbIsVisible = (inKb: string, { kbOnly }: ReaderSql): string =>
  unless(kbOnly === true ? undefined : `not ${kbOnly}`, inKb);

/** `item` and `folder` are table aliases. */
export const itemIsVisible = (item: string, folder: string, reader: ReaderSql): string =>
  `${item}.workspace_id = ${reader.workspace}
      and ${seesFolder(`${item}.folder_id`, `${folder}.tier`, reader)}
      and ${inKbIsVisible(`${item}.in_kb`, reader)}`;

/** The items `i`, in their folders `f`, that the reader may see. */
export const visibleItems = (reader: ReaderSql): string => `
  from library.items i
  join library.folders f on f.id = i.folder_id
  where ${itemIsVisible('i', 'f', reader)}`;

/**
 * The newest replacement of the item `i`, null when the reader may not see it: a chain can lead out of what the reader
 * sees, and not even the id of what is there may be returned. The pointer of an item may lead to one that is replaced
 * itself, so pointers are followed to the end (ADR 0104).
 */
export const visibleHead = (reader: ReaderSql): string => `case when i.superseded_head_id is not null then (
    with recursive newer (id, next_id) as (
      select n.id, n.superseded_head_id from library.items n where n.id = i.superseded_head_id
      union
      select n.id, n.superseded_head_id from newer join library.items n on n.id = newer.next_id
    )
    select head.id
      from newer
      join library.items head on head.id = newer.id
      join library.folders head_folder on head_folder.id = head.folder_id
      where newer.next_id is null
        and ${itemIsVisible('head', 'head_folder', reader)}
  ) end`;

/** Whether a row is visible by its own workspace and folder, given the folders already found to be visible. */
export const isInFolders = (
  row: string,
  { workspace, folders }: Pick<FolderReaderSql, 'workspace' | 'folders'>,
): string => `${row}.workspace_id = ${workspace} and ${row}.folder_id = any (${folders})`;

/** Boolean SQL expressions; each one that is true also admits items that are not current. */
export interface NotCurrentSql {
  readonly superseded: string;
  readonly expired: string;
}

/** Neither superseded nor expired: the default of every search. */
export const isCurrent = (row: string, shown?: NotCurrentSql): string =>
  `${unless(shown?.superseded, `not ${row}.superseded`)}
      and ${unless(shown?.expired, `(${row}.expires_at is null or ${row}.expires_at > now())`)}`;

/** Like `isCurrent`, for a row of `library.items`. */
export const itemIsCurrent = (item: string, shown?: NotCurrentSql): string =>
  `${unless(shown?.superseded, `${item}.superseded_by_id is null`)}
      and ${unless(shown?.expired, `(${item}.expires_at is null or ${item}.expires_at > now())`)}`;
