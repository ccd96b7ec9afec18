create or replace function retrieval.vector_index(
  p_workspace uuid, p_folders uuid[], p_superseded boolean, p_expired boolean, p_tags text[],
  p_model text, p_query vector, p_limit int, p_ef_search int
) returns table (chunk_id uuid, item_id uuid, score float8) language plpgsql stable
set search_path = pg_catalog, public
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_sort = off
set hnsw.iterative_scan = 'strict_order'
set hnsw.max_scan_tuples = 50000
set hnsw.scan_mem_multiplier = 8
set hnsw.ef_search = 100
as $function$
#variable_conflict use_column
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
      and (c.workspace_id = %2$L and c.folder_id = any ($2)) is true
      and ($3 or not c.superseded)
      and ($4 or (c.expires_at is null or c.expires_at > now()))
      and c.tags @> $5
    order by e.embedding::vector(%1$s) <=> $1
    limit $6
    $statement$, vector_dims(p_query), p_workspace, p_model)
    using p_query, p_folders, p_superseded, p_expired, p_tags, p_limit;
end
$function$;
