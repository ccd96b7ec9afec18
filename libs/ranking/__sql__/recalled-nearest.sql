create or replace function retrieval.recalled_nearest(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean,
  p_model text, p_query vector, p_ef_search int, p_candidates int, p_min_score float8, p_limit int,
  p_proposed uuid[], p_reach float8, p_seq bigint, p_position bigint, p_unseen uuid[]
) returns table (
  chunk_id uuid, item_id uuid, folder_id uuid, workspace_id uuid, graph text, tier text, cap int, score float8,
  text bytea, chunk_key bytea, tokens int, meta bytea, item_key bytea, updated_at timestamptz,
  first_id uuid, first_text bytea, first_key bytea, behind int, was_short boolean
) language plpgsql stable
set search_path = pg_catalog, public
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
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
  return query
  select hit.chunk_id, i.id, i.folder_id, i.workspace_id, f.slug, f.tier, f.max_tokens_per_recall, hit.score,
         b.text, b.wrapped_key, b.tokens, i.meta, i.wrapped_key, i.updated_at,
         first.first_id, first.first_text, first.first_key,
         hit.behind, hit.was_short
    from (
      select leg.chunk_id, leg.item_id, leg.score, near.behind, near.was_short
        from retrieval.nearest_chunks(
          p_workspace, v_folders, false, false, '{}', p_model, p_query, p_candidates, v_scope, p_ef_search,
          p_proposed, p_reach, p_seq, p_position, p_unseen) near
        cross join unnest(near.chunk_ids, near.item_ids, near.scores) as leg (chunk_id, item_id, score)
        where leg.score >= p_min_score
        order by leg.score desc, leg.chunk_id
        limit p_limit
    ) hit
    join library.bodies b on b.chunk_id = hit.chunk_id
    join library.items i on i.id = hit.item_id
    join library.folders f on f.id = i.folder_id
    left join lateral (
      select o.chunk_id as first_id, o.text as first_text, o.wrapped_key as first_key
        from library.bodies o
        where i.kind in ('clip', 'ai-conversation')
          and o.item_id = i.id
          and o.ordinal < b.ordinal
        order by o.ordinal
        limit 1
    ) first on true
    -- "is true" hides these from the index on workspace and position: an item is reached by its id only.
    where (i.workspace_id = p_workspace
      and (v_folders is null or i.folder_id = any (v_folders))
      and (p_sensitive or f.tier <> 'sensitive')
      and i.in_kb) is true
    order by hit.score desc, hit.chunk_id;
end
$function$;
