create or replace function retrieval.vector_leg(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean, p_superseded boolean, p_expired boolean, p_tags text[],
  p_model text, p_query vector, p_ef_search int, p_limit int
) returns table (chunk_id uuid, item_id uuid, score float8) language plpgsql stable
set search_path = pg_catalog, public
set plan_cache_mode = force_generic_plan
as $function$
#variable_conflict use_column
declare
  v_folders uuid[];
  v_scope bigint;
  v_total bigint;
  v_chunks uuid[];
  v_items uuid[];
  v_scores float8[];
begin
  select folder_ids, chunk_count into v_folders, v_scope
    from retrieval.allowed_folders(p_workspace, p_folders, p_sensitive);
  if v_scope = 0 then
    return;
  end if;
  select sum(f.chunk_count) into v_total from library.folders f;
  -- How many chunks have a tag is not known, and few would mean a long walk: the scan filters by tags first.
  if cardinality(p_tags) = 0 and not retrieval.prefers_exact(v_scope, v_total, p_limit) then
    select array_agg(chunk_id), array_agg(item_id), array_agg(score) into v_chunks, v_items, v_scores
      from retrieval.vector_index(
        p_workspace, v_folders, p_superseded, p_expired, p_tags, p_model, p_query, p_limit, p_ef_search);
  end if;
  -- A walk that was stopped, or a node that no path reaches, must not cost a hit.
  if coalesce(cardinality(v_chunks), 0) < least(p_limit, v_scope) then
    return query select * from retrieval.vector_exact(
      p_workspace, v_folders, p_superseded, p_expired, p_tags, p_model, p_query, p_limit);
  else
    return query select * from unnest(v_chunks, v_items, v_scores);
  end if;
end
$function$;
