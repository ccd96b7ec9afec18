import { itemIsVisible, visibleHead } from '@cairn/access';
import { UNTITLED_KIND_LIST } from './first-body.sql.js';
import { AS_WRITTEN, define, NESTED_LOOPS, READER, READER_SQL } from './sql-function.js';

/** The number of chunks on either side of the match. */
export const NEIGHBOURS = 2;

/**
 * The items that won a search, each with its text around the first match of the words: the chunk of that match and two
 * on either side, since one of them may be short. Every chunk is indexed together with the title, so a match counts for
 * a chunk only if one of the words occurs after the title's own positions. Without a match it is the beginning of the
 * text. The first chunk is included if the item may have no title.
 */
export const itemEntries = define(
  'item_entries',
  `p_items uuid[], p_has_words boolean[], p_query text, ${READER}`,
  [NESTED_LOOPS, AS_WRITTEN],
  `
declare
  v_words text[] := retrieval.query_words(p_query);
  v_query tsquery := retrieval.all_of_words(v_words);
begin
  return query
  select i.id, i.folder_id, i.workspace_id, f.tier, i.meta, i.wrapped_key, i.confidence, i.created_by_agent_id, ${visibleHead(READER_SQL)},
         i.expires_at, b.chunk_id, b.text, b.wrapped_key, b.ordinal - first.ordinal
    from unnest(p_items, p_has_words) as wanted (id, has_words)
    join library.items i on i.id = wanted.id
    join library.folders f on f.id = i.folder_id
    cross join lateral (
      select case when i.chunk_count = 1 then 0 else coalesce(case when wanted.has_words then (
        select min(m.ordinal)
          from library.chunks c
          join library.bodies m on m.chunk_id = c.id
          where c.item_id = i.id
            and c.words @@ v_query
            and exists (
              select from unnest(c.words) as w (lexeme, positions, weights)
                where w.lexeme = any (v_words)
                  and w.positions[cardinality(w.positions)] > coalesce((
                    select max(t.positions[cardinality(t.positions)])
                      from library.chunks h, unnest(to_tsvector('simple', h.title)) as t (lexeme, positions, weights)
                      where h.item_id = i.id and h.title is not null), 0))
      ) end, (select min(o.ordinal) from library.bodies o where o.item_id = i.id)) end as ordinal
        -- Computed once per item, not wherever it is used.
        offset 0
    ) first
    cross join lateral (
      select near.* from library.bodies near
        where near.item_id = i.id and near.ordinal between first.ordinal - ${NEIGHBOURS} and first.ordinal + ${NEIGHBOURS}
      union all
      (select head.* from library.bodies head
        where i.kind in (${UNTITLED_KIND_LIST}) and head.item_id = i.id and head.ordinal < first.ordinal - ${NEIGHBOURS}
        order by head.ordinal
        limit 1)
    ) b
    -- "is true" hides the conditions from the indexes: these items are found by their id, not by their workspace.
    where (${itemIsVisible('i', 'f', READER_SQL)}) is true
    order by b.ordinal;
end`,
  `table (
  item_id uuid, folder_id uuid, workspace_id uuid, tier text, meta bytea, item_key bytea, confidence int,
  created_by_agent_id text,
  superseded_by_id uuid, expires_at timestamptz, chunk_id uuid, text bytea, chunk_key bytea, step int
)`,
);
