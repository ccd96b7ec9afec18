import { folderIsVisible, itemIsVisible } from '@cairn/access';
import { FIRST_BODY_COLUMNS, joinFirstBody } from './first-body.sql.js';
import { GRAPH_IS_NAMED } from './folders.sql.js';
import { define, NESTED_LOOPS, READER, READER_SQL } from './sql-function.js';

/**
 * `recall` in one statement: the vector leg within the named folders, and the winners with everything that an answer
 * shows. Without names it searches every folder that the reader may see. A name that matches no such folder adds
 * nothing, and `unknownGraphs` reports it. The minimum score applies before the limit.
 */
export const recalledChunks = define(
  'recalled_chunks',
  `${READER}, p_names text[],
  p_model text, p_query vector, p_ef_search int, p_candidates int, p_min_score float8, p_limit int`,
  [NESTED_LOOPS],
  `
declare
  v_folders uuid[];
begin
  select coalesce(array_agg(f.id), '{}') into v_folders
    from library.folders f
    where ${folderIsVisible('f', READER_SQL)}
      and (p_names is null or exists (
        select from unnest(p_names) as named (name) where ${GRAPH_IS_NAMED}));
  return query
  select hit.chunk_id, i.id, i.folder_id, i.workspace_id, f.slug, f.tier, f.max_tokens_per_recall, hit.score,
         b.text, b.wrapped_key, b.tokens, i.meta, i.wrapped_key, i.updated_at,
         ${FIRST_BODY_COLUMNS}
    from (
      select leg.chunk_id, leg.item_id, leg.score
        from retrieval.vector_leg(
          p_workspace, v_folders, p_sensitive, false, false, '{}', p_model, p_query, p_ef_search, p_candidates) leg
        where leg.score >= p_min_score
        order by leg.score desc, leg.chunk_id
        limit p_limit
    ) hit
    join library.bodies b on b.chunk_id = hit.chunk_id
    join library.items i on i.id = hit.item_id
    join library.folders f on f.id = i.folder_id
    ${joinFirstBody('i', 'b.ordinal')}
    -- "is true" hides these from the index on workspace and position: an item is reached by its id only.
    where (${itemIsVisible('i', 'f', { ...READER_SQL, folders: 'v_folders' })}) is true
    order by hit.score desc, hit.chunk_id;
end`,
  `table (
  chunk_id uuid, item_id uuid, folder_id uuid, workspace_id uuid, graph text, tier text, cap int, score float8,
  text bytea, chunk_key bytea, tokens int, meta bytea, item_key bytea, updated_at timestamptz,
  first_id uuid, first_text bytea, first_key bytea
)`,
);
