create or replace function retrieval.hybrid_search(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean,
  p_model text, p_query vector, p_ef_search int, p_words text, p_limit int, p_hits int,
  p_proposed uuid[], p_reach float8, p_seq bigint, p_position bigint, p_unseen uuid[]
) returns table (
  vector_ids text, vector_scores text, bm25_ids text, bm25_scores text, behind int, was_short boolean,
  chunk_id uuid, item_id uuid, folder_id uuid, workspace_id uuid, tier text, text bytea,
  chunk_key bytea, title text, meta bytea, item_key bytea, first_id uuid, first_text bytea, first_key bytea
) language plpgsql stable
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
  v_near uuid[];
  v_near_scores float8[];
  v_worded uuid[];
  v_worded_scores float8[];
  v_likely uuid[];
begin
  select folder_ids, chunk_count into v_folders, v_scope
    from retrieval.allowed_folders(p_workspace, p_folders, p_sensitive);
  if v_scope = 0 then
    return;
  end if;
  select near.chunk_ids, near.scores, near.behind, near.was_short
    into v_near, v_near_scores, behind, was_short
    from retrieval.nearest_chunks(
      p_workspace, v_folders, false, false, '{}', p_model, p_query, p_limit, v_scope, p_ef_search,
      p_proposed, p_reach, p_seq, p_position, p_unseen) near;
  -- Words that the index does not know leave nothing to search for.
  if p_words <> '' then
    select array_agg(chunk_id), array_agg(score) into v_worded, v_worded_scores from (
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
  select array_agg(likely.id) into v_likely from (
    select part.id
      from (
        select leg.id, 0.7 * coalesce((leg.score - v_near_scores[cardinality(v_near_scores)])
            / nullif(v_near_scores[1] - v_near_scores[cardinality(v_near_scores)], 0), 1) as share
          from unnest(v_near, v_near_scores) as leg (id, score)
        union all
        select leg.id, 0.3 * coalesce((leg.score - v_worded_scores[cardinality(v_worded_scores)])
            / nullif(v_worded_scores[1] - v_worded_scores[cardinality(v_worded_scores)], 0), 1) as share
          from unnest(v_worded, v_worded_scores) as leg (id, score)
      ) part
      group by part.id
      order by sum(part.share) desc
      limit p_hits
  ) likely;
  vector_ids := array_to_string(v_near, ',');
  vector_scores := array_to_string(v_near_scores, ',');
  bm25_ids := array_to_string(v_worded, ',');
  bm25_scores := array_to_string(v_worded_scores, ',');
  return next;
  return query select null, null, null, null, null::int, null::boolean, winner.*
    from retrieval.winning_chunks(v_likely, p_workspace, p_folders, p_sensitive) winner;
end
$function$;
