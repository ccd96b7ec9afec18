import { itemIsVisible, notFound, readerSql, readerValues, visibleItems, type Reader } from '@cairn/access';
import type { EdgeSourceKind, LinkType, Tier } from '@cairn/contracts';
import { readRows } from '@cairn/persistence';
import type { Pool } from 'pg';

/** A link of an item, and the place of its other end. */
export interface ItemLink {
  readonly id: string;
  readonly fromItemId: string;
  readonly toItemId: string;
  readonly type: LinkType;
  readonly confidence: number;
  readonly sourceKind: EdgeSourceKind;
  readonly folderId: string;
  readonly tier: Tier;
}

const READER = readerSql(1);
const ITEM = '$5::uuid';

const stated = (end: string): string => `
      select l.id, l.from_id, l.to_id, l.type, l.confidence, l.source_kind, 0 as rank
        from library.memory_links l where l.${end} = ${ITEM} and l.workspace_id = $1 and not l.to_gone`;

/** A text that was corrected since no longer counts, whether or not the follower has applied the correction. */
const inText = (end: string): string => `
      select t.id, t.item_id, t.to_id, 'references', 1, 'extracted', 1
        from graph.text_links t join library.bodies b on b.chunk_id = t.chunk_id and b.text_hash = t.text_hash
        where t.${end} = ${ITEM} and t.workspace_id = $1`;

/** A link that is both stated and in a text is one link, in its stated form. */
const LIST_LINKS = `
with linked as (
  select distinct on (id) * from (${[stated('from_id'), stated('to_id'), inText('item_id'), inText('to_id')].join('\n      union all')}
  ) found order by id, rank
)
select l.id, l.from_id as "fromItemId", l.to_id as "toItemId", l.type, l.confidence, l.source_kind as "sourceKind",
       i.folder_id as "folderId", f.tier
  from linked l
  join library.items i on i.id = case when l.from_id = ${ITEM} then l.to_id else l.from_id end
  join library.folders f on f.id = i.folder_id
  where (${itemIsVisible('i', 'f', READER)}) is true
    and ($6::uuid is null or l.id > $6)
  order by l.id
  limit $7`;

const IS_VISIBLE = `select 1 ${visibleItems(READER)} and i.id = $5`;

/** The links of an item to items that the reader may also see, sorted by id, after the id `after`. */
export const itemLinks = async (
  pool: Pool,
  reader: Reader,
  { itemId, after, max }: { readonly itemId: string; readonly after: string | null; readonly max: number },
): Promise<ItemLink[]> => {
  const values = [...readerValues(reader), itemId];
  const [items, links] = await Promise.all([
    readRows(pool, IS_VISIBLE, values),
    readRows<ItemLink>(pool, LIST_LINKS, [...values, after, max]),
  ]);
  if (items.length === 0) throw notFound('item');
  return links;
};
