create or replace function retrieval.graph_verdicts(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean, p_chunks uuid[]
) returns table (chunk_id uuid, ref_hash bytea, verdict text) language plpgsql stable
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
  select r.chunk_id, r.ref_hash, r.verdict
    from unnest(p_chunks) as k(id)
    join graph.reviews r on r.chunk_id = k.id
    join library.chunks c on c.id = r.chunk_id and (c.workspace_id = p_workspace and c.folder_id = any (v_folders) and not c.superseded
      and (c.expires_at is null or c.expires_at > now())) is true;
end
$function$;
