create or replace function retrieval.graph_spelled_like(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean, p_after text, p_chars_min int, p_chars_max int, p_patterns text[], p_limit int
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
  select e.key
    from graph.entities e
    where e.workspace_id = p_workspace
      and e.key > coalesce(p_after, '') collate "C"
      and length(e.key) between p_chars_min and p_chars_max
      and ' ' || e.key || ' ' like any (p_patterns)
    order by e.key
    limit p_limit;
end
$function$;
