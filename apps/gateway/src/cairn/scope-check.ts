import { notFound, seesPlaced, type PlacedThing, type Reader } from '@cairn/access';
import type { FolderView, QueryAnswer, QueryType } from '@cairn/contracts';

/** What the reader may see of some things, without the placement that was looked at. */
type Look = <T extends PlacedThing>(things: readonly T[]) => T[];

const lookAtFolders = (folders: readonly FolderView[], look: Look): FolderView[] =>
  look(folders.map((folder) => ({ ...folder, folderId: folder.id }))).map(({ folderId: _, ...folder }) => folder);

/** The queries whose answers are in folders. */
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
    throw notFound('item');
  },
  'folder.get': (answer, look) => {
    const [folder] = lookAtFolders([answer], look);
    if (folder) return folder;
    throw notFound('folder');
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
    const visible = things.filter((thing) => seesPlaced(reader, thing));
    dropped += things.length - visible.length;
    return visible.map(({ placement: _, ...thing }) => thing as (typeof visible)[number]);
  };
  try {
    return check(answer, look);
  } finally {
    if (dropped > 0) onViolation(dropped);
  }
};
