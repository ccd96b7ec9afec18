create or replace function retrieval.graph_item_keys(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean, p_item uuid, p_limit int
) returns table (key text) language plpgsql stable
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
  select m.entity_key
    from graph.mentions m join library.chunks c on c.id = m.chunk_id and c.text_hash = m.text_hash and (c.workspace_id = p_workspace and c.folder_id = any (v_folders) and not c.superseded
      and (c.expires_at is null or c.expires_at > now())) is true
    where m.item_id = p_item and (m.workspace_id = p_workspace) is true
    group by m.entity_key
    order by min(m.position), min(coalesce(m.start, 0)), m.entity_key
    limit p_limit;
end
$function$;
