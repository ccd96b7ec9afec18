import { fail, type Principal, type QueryAnswer, type QueryType } from '@cairn/contracts';

type Reach = Pick<Principal, 'isUnscoped' | 'folderIds' | 'kbOnly'>;
interface Placed {
  readonly folderId: string;
  readonly inKb?: boolean;
}
type Sees = (thing: Placed) => boolean;

const isVisible = ({ folderId, inKb }: Placed, { isUnscoped, folderIds, kbOnly }: Reach): boolean =>
  (isUnscoped || folderIds.includes(folderId)) && !(kbOnly && inKb === false);

/** The queries whose answers lie in folders. What is missing is told as search tells it, to the letter. */
const CHECKS: { readonly [T in QueryType]?: (answer: QueryAnswer<T>, sees: Sees) => QueryAnswer<T> } = {
  'chunks.search': (answer, sees) => ({ ...answer, hits: answer.hits.filter(sees) }),
  'items.search': (answer, sees) => ({ ...answer, hits: answer.hits.filter(sees) }),
  'chunks.recall': (answer, sees) => ({ ...answer, results: answer.results.filter(sees) }),
  'stats.get': (answer, sees) => ({ ...answer, folders: answer.folders.filter(sees) }),
  'items.list': (answer, sees) => ({ ...answer, items: answer.items.filter(sees) }),
  'folders.list': (answer, sees) => ({ ...answer, items: answer.items.filter(({ id }) => sees({ folderId: id })) }),
  'item.get': (answer, sees) => {
    if (sees(answer)) return answer;
    throw fail('item.not_found', 'there is no such item');
  },
  'folder.get': (answer, sees) => {
    if (sees({ folderId: answer.id })) return answer;
    throw fail('folder.not_found', 'there is no such folder');
  },
};

/**
 * The last look before an answer leaves. Search has filtered already, inside the database, so nothing is ever dropped
 * here unless something behind is broken: a stale index, a moved folder, a forgotten predicate.
 */
export const checkScope = <T extends QueryType>(
  type: T,
  answer: QueryAnswer<T>,
  reach: Reach,
  onViolation: (dropped: number) => void,
): QueryAnswer<T> => {
  const check = CHECKS[type];
  if (!check || (reach.isUnscoped && !reach.kbOnly)) return answer;
  let dropped = 0;
  const sees: Sees = (thing) => isVisible(thing, reach) || (dropped++, false);
  try {
    return check(answer, sees);
  } finally {
    if (dropped > 0) onViolation(dropped);
  }
};
