import { isInFolders, itemIsCurrent } from '@cairn/access';
import { AS_WRITTEN, define, NESTED_LOOPS, READER } from './sql-function.js';

const SUPERSEDED_SHOWN = { superseded: `'supersedes' = any (p_types)`, expired: 'false' };

/** In the knowledge base, current, and visible to the reader. `is true` keeps the conditions from choosing an index. */
const IS_WALKED = `(${isInFolders('i', { workspace: 'p_workspace', folders: 'v_folders' })}
      and i.in_kb
      and ${itemIsCurrent('i', SUPERSEDED_SHOWN)}) is true`;

/** The other end of a link. */
const otherEnd = (id: string): string => `
    join library.items i on i.id = ${id}
      and ${IS_WALKED}`;

const isAsked = `not l.to_gone and l.type = any (p_types) and l.confidence >= p_min_confidence`;

const stated = (near: string, far: string): string => `
  select l.from_id, l.to_id, l.type, l.confidence, 0
    from unnest(p_frontier) as near (id)
    join library.memory_links l on l.${near} = near.id and ${isAsked}
    ${otherEnd(`l.${far}`)}`;

/** A text that was corrected since no longer counts, whether or not the follower has applied the correction. */
const inText = (near: string, far: string): string => `
  select t.item_id, t.to_id, 'references', 1::real, 1
    from unnest(p_frontier) as near (id)
    join graph.text_links t on t.${near} = near.id and 'references' = any (p_types)
    join library.bodies b on b.chunk_id = t.chunk_id and b.text_hash = t.text_hash
    ${otherEnd(`t.${far}`)}`;

const SUPERSEDES = `
  select n.superseded_by_id, n.id, 'supersedes', 1::real, 0
    from unnest(p_frontier) as near (id)
    join library.items n on n.id = near.id and n.superseded_by_id is not null and 'supersedes' = any (p_types)
    ${otherEnd('n.superseded_by_id')}
  union all
  select near.id, i.id, 'supersedes', 1::real, 0
    from unnest(p_frontier) as near (id)
    join library.items i on i.superseded_by_id = near.id and 'supersedes' = any (p_types)
      and ${IS_WALKED}`;

const LINKS = [
  stated('from_id', 'to_id'),
  stated('to_id', 'from_id'),
  inText('item_id', 'to_id'),
  inText('to_id', 'item_id'),
  SUPERSEDES,
].join('\n  union all');

/**
 * The links of items that are known to be visible, to further visible items. A link between two of them is returned
 * twice, and a link that is both stated and in a text has a row for each. Without an order the scan ends at the limit;
 * an order is needed only if links are left out.
 */
export const linksOf = define(
  'links_of',
  `p_frontier uuid[], p_types text[], p_min_confidence real, p_ordered boolean, p_limit int, ${READER}`,
  [NESTED_LOOPS, AS_WRITTEN],
  `
declare
  v_folders uuid[] := (retrieval.allowed_folders(p_workspace, p_folders, p_sensitive)).folder_ids;
begin
  if p_ordered then
    return query select * from (${LINKS}
    ) found order by 4 desc, 1, 2, 3, 5 limit p_limit;
  else
    return query select * from (${LINKS}
    ) found limit p_limit;
  end if;
end`,
  'table (from_id uuid, to_id uuid, type text, confidence real, rank int)',
);
