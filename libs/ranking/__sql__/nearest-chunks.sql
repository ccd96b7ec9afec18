create or replace function retrieval.nearest_chunks(
  p_workspace uuid, p_folders uuid[], p_superseded boolean, p_expired boolean, p_tags text[],
  p_model text, p_query vector, p_limit int, p_scope bigint, p_ef_search int,
  p_proposed uuid[], p_reach float8, p_seq bigint, p_position bigint, p_unseen uuid[],
  out chunk_ids uuid[], out item_ids uuid[], out scores float8[], out behind int, out was_short boolean
) returns record language plpgsql stable
set search_path = pg_catalog, public
set plan_cache_mode = force_generic_plan
as $function$
#variable_conflict use_column
declare
  v_total bigint;
begin
  if p_proposed is not null then
    select known.* into chunk_ids, item_ids, scores, behind from retrieval.vector_proposed(
      p_workspace, p_folders, p_superseded, p_expired, p_tags, p_model, p_query, p_limit,
      p_proposed, p_seq, p_position) known;
    was_short := p_folders && p_unseen or p_reach is not null and coalesce(scores[p_limit] < p_reach, true);
    if not was_short then
      return;
    end if;
  end if;
  select sum(f.chunk_count) into v_total from library.folders f where f.workspace_id = p_workspace;
  chunk_ids := null;
  -- How many chunks have a tag is not known, and few would mean a long walk: the scan filters by tags first.
  if cardinality(p_tags) = 0 and not retrieval.prefers_exact(p_scope, v_total, p_limit) then
    -- The walk leaves the order of equal vectors open.
    select array_agg(chunk_id order by score desc, chunk_id), array_agg(item_id order by score desc, chunk_id),
        array_agg(score order by score desc, chunk_id)
      into chunk_ids, item_ids, scores
      from retrieval.vector_index(
        p_workspace, p_folders, p_superseded, p_expired, p_tags, p_model, p_query, p_limit, p_ef_search);
  end if;
  -- A walk that was stopped, or a node that no path reaches, must not cost a hit.
  if coalesce(cardinality(chunk_ids), 0) < least(p_limit, p_scope) then
    select array_agg(chunk_id), array_agg(item_id), array_agg(score) into chunk_ids, item_ids, scores
      from retrieval.vector_exact(
        p_workspace, p_folders, p_superseded, p_expired, p_tags, p_model, p_query, p_limit);
  end if;
end
$function$;
