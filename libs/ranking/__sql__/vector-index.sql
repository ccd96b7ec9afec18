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
  -- Ends with this call, because the function itself sets the same name.
  perform set_config('hnsw.ef_search', least(greatest(p_ef_search, 1), 200)::text, true);
  return query
  select c.id as chunk_id, c.item_id, 1 - (e.embedding <=> p_query) as score
    from vectors.embeddings e
    join library.chunks c on c.id = e.chunk_id and c.text_hash = e.text_hash
    where e.model = p_model
      and e.workspace_id = p_workspace
      -- "is true" hides these from the index on workspace and folder: a chunk is reached by its id only.
      and (c.workspace_id = p_workspace and c.folder_id = any (p_folders)) is true
      and (p_superseded or not c.superseded)
      and (p_expired or (c.expires_at is null or c.expires_at > now()))
      and c.tags @> p_tags
    order by e.embedding <=> p_query
    limit p_limit;
end
$function$;
