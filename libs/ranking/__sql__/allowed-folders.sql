create or replace function retrieval.allowed_folders(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean,
  out folder_ids uuid[], out chunk_count bigint
) returns record language plpgsql stable
set search_path = pg_catalog, public
set plan_cache_mode = force_generic_plan
as $function$
#variable_conflict use_column
begin
  select coalesce(array_agg(f.id), '{}'), coalesce(sum(f.chunk_count), 0)
    into folder_ids, chunk_count
    from library.folders f
    where f.workspace_id = p_workspace
      and (p_folders is null or f.id = any (p_folders))
      and (p_sensitive or f.tier <> 'sensitive');
end
$function$;
