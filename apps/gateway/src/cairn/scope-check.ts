import {
  fail,
  hasScope,
  type FolderView,
  type Placed,
  type Principal,
  type QueryAnswer,
  type QueryType,
  type Surface,
} from '@cairn/contracts';

export interface Reader {
  readonly principal: Principal;
  readonly surface: Surface;
}

interface Thing extends Placed {
  readonly inKb?: boolean;
}

const isVisible = ({ folderId, placement, inKb }: Thing, { principal, surface }: Reader): boolean => {
  const { workspaceId, isUnscoped, folderIds, kbOnly } = principal;
  const seesSensitive = surface === 'rest' && hasScope(principal, 'admin');
  return (
    placement?.workspaceId === workspaceId &&
    (isUnscoped || folderIds.includes(folderId)) &&
    (seesSensitive || placement.tier !== 'sensitive') &&
    !(kbOnly && inKb === false)
  );
};

/** What the reader may see of some things, without the placement that was looked at. */
type Look = <T extends Thing>(things: readonly T[]) => T[];

const lookAtFolders = (folders: readonly FolderView[], look: Look): FolderView[] =>
  look(folders.map((folder) => ({ ...folder, folderId: folder.id }))).map(({ folderId: _, ...folder }) => folder);

/** The queries whose answers lie in folders. What is missing is told as search tells it, to the letter. */
const CHECKS: { readonly [T in QueryType]?: (answer: QueryAnswer<T>, look: Look) => QueryAnswer<T> } = {
  'chunks.search': (answer, look) => ({ ...answer, hits: look(answer.hits) }),
  'items.search': (answer, look) => ({ ...answer, hits: look(answer.hits) }),
  'chunks.recall': ({ unknownGraphs, ...answer }, look) => ({
    ...answer,
    results: look(answer.results),
    ...(unknownGraphs && { unknownGraphs: { ...unknownGraphs, available: look(unknownGraphs.available) } }),
  }),
  'stats.get': (answer, look) => ({ ...answer, folders: look(answer.folders) }),
  'items.list': (answer, look) => ({ ...answer, items: look(answer.items) }),
  'folders.list': (answer, look) => ({ ...answer, items: lookAtFolders(answer.items, look) }),
  'item.get': (answer, look) => {
    const [item] = look([answer]);
    if (item) return item;
    throw fail('item.not_found', 'there is no such item', { field: 'id' });
  },
  'folder.get': (answer, look) => {
    const [folder] = lookAtFolders([answer], look);
    if (folder) return folder;
    throw fail('folder.not_found', 'there is no such folder', { field: 'id' });
  },
};

/**
 * The last look before an answer leaves. Search has filtered already, inside the database, so nothing is ever dropped
 * here unless something behind is broken: a stale index, a moved folder, a forgotten predicate.
 */
export const checkScope = <T extends QueryType>(
  type: T,
  answer: QueryAnswer<T>,
  reader: Reader,
  onViolation: (dropped: number) => void,
): QueryAnswer<T> => {
  const check = CHECKS[type];
  if (!check) return answer;
  let dropped = 0;
  const look: Look = (things) => {
    const visible = things.filter((thing) => isVisible(thing, reader));
    dropped += things.length - visible.length;
    return visible.map(({ placement: _, ...thing }) => thing as (typeof visible)[number]);
  };
  try {
    return check(answer, look);
  } finally {
    if (dropped > 0) onViolation(dropped);
  }
};
