create or replace function retrieval.graph_merges(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean, p_keys text[]
) returns table (merge_id uuid, alias_key text, canonical_key text, "position" bigint) language plpgsql stable
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
  with recursive known(key) as (
    select k.key collate "C" from unnest(p_keys) as k(key)
    union
    select b.key
      from known
      join graph.merges a on a.workspace_id = p_workspace and a.key = known.key join library.chunks ca on ca.id = a.chunk_id and (ca.workspace_id = p_workspace and ca.folder_id = any (v_folders) and not ca.superseded
      and (ca.expires_at is null or ca.expires_at > now())) is true
      join graph.merges b on b.merge_id = a.merge_id and b.side <> a.side join library.chunks cb on cb.id = b.chunk_id and (cb.workspace_id = p_workspace and cb.folder_id = any (v_folders) and not cb.superseded
      and (cb.expires_at is null or cb.expires_at > now())) is true
  )
  select distinct a.merge_id, a.key, b.key, a.position
    from known
    join graph.merges a on a.workspace_id = p_workspace and a.key = known.key and a.side = 'alias' join library.chunks ca on ca.id = a.chunk_id and (ca.workspace_id = p_workspace and ca.folder_id = any (v_folders) and not ca.superseded
      and (ca.expires_at is null or ca.expires_at > now())) is true
    join graph.merges b on b.merge_id = a.merge_id and b.side <> a.side join library.chunks cb on cb.id = b.chunk_id and (cb.workspace_id = p_workspace and cb.folder_id = any (v_folders) and not cb.superseded
      and (cb.expires_at is null or cb.expires_at > now())) is true;
end
$function$;
