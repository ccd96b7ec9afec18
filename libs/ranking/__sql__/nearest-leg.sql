create or replace function retrieval.nearest_leg(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean, p_superseded boolean, p_expired boolean, p_tags text[],
  p_model text, p_query vector, p_ef_search int, p_limit int,
  p_proposed uuid[], p_reach float8, p_seq bigint, p_position bigint, p_unseen uuid[],
  out chunk_ids text, out item_ids text, out scores text, out behind int, out was_short boolean
) returns record language plpgsql stable
set search_path = pg_catalog, public
set plan_cache_mode = force_generic_plan
as $function$
#variable_conflict use_column
declare
  v_folders uuid[];
  v_scope bigint;
begin
  select folder_ids, chunk_count into v_folders, v_scope
    from retrieval.allowed_folders(p_workspace, p_folders, p_sensitive);
  if v_scope = 0 then
    return;
  end if;
  select array_to_string(near.chunk_ids, ','), array_to_string(near.item_ids, ','), array_to_string(near.scores, ','),
      near.behind, near.was_short
    into chunk_ids, item_ids, scores, behind, was_short
    from retrieval.nearest_chunks(
      p_workspace, v_folders, p_superseded, p_expired, p_tags, p_model, p_query, p_limit, v_scope, p_ef_search,
      p_proposed, p_reach, p_seq, p_position, p_unseen) near;
end
$function$;
