create or replace function retrieval.graph_places(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean, p_keys text[], p_limit int
) returns table (chunk_id uuid, item_id uuid, folder_id uuid, surface text, "position" bigint) language plpgsql stable
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
  select place.chunk_id, place.item_id, place.folder_id, place.surface, place.position
    from (
      select distinct on (m.item_id) m.chunk_id, m.item_id, c.folder_id, m.surface, m.position
        from unnest(p_keys) as k(key)
        join graph.mentions m on m.workspace_id = p_workspace and m.entity_key = k.key
        join library.chunks c on c.id = m.chunk_id and c.text_hash = m.text_hash and (c.workspace_id = p_workspace and c.folder_id = any (v_folders) and not c.superseded
      and (c.expires_at is null or c.expires_at > now())) is true
        order by m.item_id, m.position desc, m.chunk_id, m.surface
    ) place
    order by place.position desc, place.item_id
    limit p_limit;
end
$function$;
