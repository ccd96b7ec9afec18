create or replace function retrieval.vector_exact(
  p_workspace uuid, p_folders uuid[], p_superseded boolean, p_expired boolean, p_tags text[],
  p_model text, p_query vector, p_limit int
) returns table (chunk_id uuid, item_id uuid, score float8) language plpgsql stable
set search_path = pg_catalog, public
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_sort = on
set enable_bitmapscan = on
as $function$
#variable_conflict use_column
begin
  return query
  select c.id, c.item_id, 1 - (e.embedding <=> p_query)
    from library.chunks c
    join vectors.embeddings e on e.chunk_id = c.id and e.text_hash = c.text_hash and e.model = p_model
      and vector_dims(e.embedding) = vector_dims(p_query)
    where c.workspace_id = p_workspace and c.folder_id = any (p_folders)
      and (p_superseded or not c.superseded)
      and (p_expired or (c.expires_at is null or c.expires_at > now()))
      and c.tags @> p_tags
    order by e.embedding <=> p_query, c.id
    limit p_limit;
end
$function$;
