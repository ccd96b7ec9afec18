create or replace function retrieval.graph_reviewed_chunks(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean, p_keys text[]
) returns table (key text, chunk_id uuid, item_id uuid) language plpgsql stable
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
  select distinct m.entity_key, m.chunk_id, m.item_id
    from unnest(p_keys) as k(key)
    join graph.mentions m on m.workspace_id = p_workspace and m.entity_key = k.key
    cross join lateral (select from graph.reviews r where r.chunk_id = m.chunk_id limit 1) judged
    join library.chunks c on c.id = m.chunk_id and c.text_hash = m.text_hash and (c.workspace_id = p_workspace and c.folder_id = any (v_folders) and not c.superseded
      and (c.expires_at is null or c.expires_at > now())) is true;
end
$function$;
