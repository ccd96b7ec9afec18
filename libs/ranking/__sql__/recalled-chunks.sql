create or replace function retrieval.recalled_chunks(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean, p_names text[],
  p_model text, p_query vector, p_ef_search int, p_candidates int, p_min_score float8, p_limit int
) returns table (
  chunk_id uuid, item_id uuid, folder_id uuid, workspace_id uuid, graph text, tier text, cap int, score float8,
  text bytea, chunk_key bytea, tokens int, meta bytea, item_key bytea, updated_at timestamptz,
  first_id uuid, first_text bytea, first_key bytea
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
begin
  select coalesce(array_agg(f.id), '{}') into v_folders
    from library.folders f
    where f.workspace_id = p_workspace
      and (p_folders is null or f.id = any (p_folders))
      and (p_sensitive or f.tier <> 'sensitive')
      and (p_names is null or exists (
        select from unnest(p_names) as named (name) where lower(named.name) in (f.slug, lower(f.name))));
  return query
  select hit.chunk_id, i.id, i.folder_id, i.workspace_id, f.slug, f.tier, f.max_tokens_per_recall, hit.score,
         b.text, b.wrapped_key, b.tokens, i.meta, i.wrapped_key, i.updated_at,
         first.first_id, first.first_text, first.first_key
    from (
      select leg.chunk_id, leg.item_id, leg.score
        from retrieval.vector_leg(
          p_workspace, v_folders, p_sensitive, false, false, '{}', p_model, p_query, p_ef_search, p_candidates) leg
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
