import { itemIsVisible } from '@cairn/access';
import { FIRST_BODY_COLUMNS, joinFirstBody } from './first-body.sql.js';
import { ALLOWED } from './leg-queries.sql.js';
import { define, NESTED_LOOPS, READER, READER_SQL } from './sql-function.js';
import { PROPOSAL, PROPOSAL_ARGUMENTS } from './vector.sql.js';

/**
 * `recall` in one statement: the vector leg, and the winners with everything that an answer shows. The minimum score
 * applies before the limit.
 */
export const recalledNearest = define(
  'recalled_nearest',
  `${READER},
  p_model text, p_query vector, p_ef_search int, p_candidates int, p_min_score float8, p_limit int,
  ${PROPOSAL}`,
  [NESTED_LOOPS],
  `
declare
  v_folders uuid[];
  v_scope bigint;
begin
  select folder_ids, chunk_count into v_folders, v_scope
    from retrieval.allowed_folders(p_workspace, p_folders, p_sensitive);
  if v_scope = 0 then
    return;
  end if;
  return query
  select hit.chunk_id, i.id, i.folder_id, i.workspace_id, f.slug, f.tier, f.max_tokens_per_recall, hit.score,
         b.text, b.wrapped_key, b.tokens, i.meta, i.wrapped_key, i.updated_at,
         ${FIRST_BODY_COLUMNS},
         hit.behind, hit.was_short
    from (
      select leg.chunk_id, leg.item_id, leg.score, near.behind, near.was_short
        from retrieval.nearest_chunks(
          p_workspace, v_folders, false, false, '{}', p_model, p_query, p_candidates, v_scope, p_ef_search,
          ${PROPOSAL_ARGUMENTS}) near
        cross join unnest(near.chunk_ids, near.item_ids, near.scores) as leg (chunk_id, item_id, score)
        where leg.score >= p_min_score
        order by leg.score desc, leg.chunk_id
        limit p_limit
    ) hit
    join library.bodies b on b.chunk_id = hit.chunk_id
    join library.items i on i.id = hit.item_id
    join library.folders f on f.id = i.folder_id
    ${joinFirstBody('i', 'b.ordinal')}
    -- "is true" hides these from the index on workspace and position: an item is reached by its id only.
    where (${itemIsVisible('i', 'f', { ...READER_SQL, ...ALLOWED })}) is true
    order by hit.score desc, hit.chunk_id;
end`,
  `table (
  chunk_id uuid, item_id uuid, folder_id uuid, workspace_id uuid, graph text, tier text, cap int, score float8,
  text bytea, chunk_key bytea, tokens int, meta bytea, item_key bytea, updated_at timestamptz,
  first_id uuid, first_text bytea, first_key bytea, behind int, was_short boolean
)`,
);
