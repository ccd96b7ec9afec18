create or replace function retrieval.both_legs(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean,
  p_model text, p_query vector, p_ef_search int, p_words text, p_limit int,
  p_proposed uuid[], p_reach float8, p_seq bigint, p_position bigint, p_unseen uuid[],
  out vector_ids text, out vector_scores text, out bm25_ids text, out bm25_scores text,
  out behind int, out was_short boolean
) returns record language plpgsql stable
set search_path = pg_catalog, public
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_sort = off
set enable_bitmapscan = off
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
  select array_to_string(near.chunk_ids, ','), array_to_string(near.scores, ','), near.behind, near.was_short
    into vector_ids, vector_scores, behind, was_short
    from retrieval.nearest_chunks(
      p_workspace, v_folders, false, false, '{}', p_model, p_query, p_limit, v_scope, p_ef_search,
      p_proposed, p_reach, p_seq, p_position, p_unseen) near;
  -- Words that the index does not know leave nothing to search for.
  if p_words <> '' then
    select string_agg(chunk_id::text, ','), string_agg(score::text, ',') into bm25_ids, bm25_scores from (
    select d.chunk_id, d.item_id, -bm25_get_current_score() as score
    from lexical.documents d
    where d.workspace_id = p_workspace and d.folder_id = any (v_folders)
      -- Word for word as in the index, which holds no others.
      and not d.sensitive
      and not d.superseded
      and (d.expires_at is null or d.expires_at > now())
    order by d.body <@> to_bm25query(p_words, 'lexical.documents_bm25')
    limit p_limit) hits where score > 0;
  end if;
end
$function$;
