/** The HNSW index of one workspace and model, for vectors that do not fit in the memory of search. */
import { isCurrent, isInFolders } from '@cairn/access';
import { define, NESTED_LOOPS } from './sql-function.js';
import { VECTOR_PARAMETERS } from './vector.sql.js';

/** Bounds of the walk through the graph under filters. A walk that they stop is answered by the exact scan instead. */
const SCAN_TUPLES_MAX = 50_000;
const SCAN_MEMORY_MULTIPLIER = 8;

const WALK_SETTINGS = `set enable_sort = off
set hnsw.iterative_scan = 'strict_order'
set hnsw.max_scan_tuples = ${SCAN_TUPLES_MAX}
set hnsw.scan_mem_multiplier = ${SCAN_MEMORY_MULTIPLIER}
set hnsw.ef_search = 100`;

export const vectorIndexName = `create or replace function retrieval.vector_index_name(
  p_workspace uuid, p_model text
) returns text language sql immutable
as $function$
  select 'embeddings_hnsw_' || md5(p_workspace::text || p_model)
$function$;
`;

/**
 * Finds nothing where the workspace has no index. The workspace, the model and the length are part of the statement's
 * text, because the planner must see that the index covers them.
 */
export const vectorIndex = define(
  'vector_index',
  `${VECTOR_PARAMETERS}, p_ef_search int`,
  [NESTED_LOOPS, WALK_SETTINGS],
  `
begin
  if to_regclass('vectors.' || retrieval.vector_index_name(p_workspace, p_model)) is null then
    return;
  end if;
  -- Ends with this call, because the function itself sets the same name.
  perform set_config('hnsw.ef_search', least(greatest(p_ef_search, 1), 200)::text, true);
  return query execute format(
    $statement$
  select c.id, c.item_id, 1 - (e.embedding::vector(%1$s) <=> $1)
    from vectors.embeddings e
    join library.chunks c on c.id = e.chunk_id and c.text_hash = e.text_hash
    where e.workspace_id = %2$L and e.model = %3$L and vector_dims(e.embedding) = %1$s
      -- "is true" hides these from the index on workspace and folder: a chunk is reached by its id only.
      and (${isInFolders('c', { workspace: '%2$L', folders: '$2' })}) is true
      and ${isCurrent('c', { superseded: '$3', expired: '$4' })}
      and c.tags @> $5
    order by e.embedding::vector(%1$s) <=> $1
    limit $6
    $statement$, vector_dims(p_query), p_workspace, p_model)
    using p_query, p_folders, p_superseded, p_expired, p_tags, p_limit;
end`,
);
