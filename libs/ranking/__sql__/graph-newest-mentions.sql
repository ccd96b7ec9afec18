create or replace function retrieval.graph_newest_mentions(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean, p_keys text[]
) returns table (key text, surface text, type text, type_confidence float8, "position" bigint, chunk_id uuid, item_id uuid, start int,
  folder_id uuid, tier text) language plpgsql stable
set search_path = pg_catalog, public
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set join_collapse_limit = 1
as $function$
#variable_conflict use_column
declare
  v_folders uuid[];
begin
  select folder_ids into v_folders from retrieval.allowed_folders(p_workspace, p_folders, p_sensitive);
  return query
  select k.key, m.surface, m.type, m.type_confidence, m.position, m.chunk_id, m.item_id, m.start, m.folder_id,
         (select f.tier from library.folders f where f.id = m.folder_id)
    from unnest(p_keys) as k(key)
    cross join lateral (
        select m.surface, m.type, m.type_confidence, m.position, m.chunk_id, m.item_id, m.start, c.folder_id
          from graph.mentions m join library.chunks c on c.id = m.chunk_id and c.text_hash = m.text_hash and (c.workspace_id = p_workspace and c.folder_id = any (v_folders) and not c.superseded
      and (c.expires_at is null or c.expires_at > now())) is true
          where m.workspace_id = p_workspace and m.entity_key = k.key
          order by m.position desc, m.chunk_id, m.ordinal
          limit 3) m;
end
$function$;
