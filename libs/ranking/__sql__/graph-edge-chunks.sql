create or replace function retrieval.graph_edge_chunks(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean, p_id uuid, p_after uuid, p_limit int
) returns table (chunk_id uuid, item_id uuid, ref_hash bytea) language plpgsql stable
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
  select distinct e.chunk_id, e.item_id, e.ref_hash
    from (
      select distinct o.subject_key, o.predicate, o.object_key
        from graph.edges o
        join library.chunks co on co.id = o.chunk_id and co.text_hash = o.text_hash
          and (co.workspace_id = p_workspace and co.folder_id = any (v_folders) and not co.superseded
      and (co.expires_at is null or co.expires_at > now())) is true
        where o.id = p_id and (o.workspace_id = p_workspace) is true and not o.negated
    ) given
    join graph.edges e on e.workspace_id = p_workspace and e.subject_key = given.subject_key
      and e.predicate = given.predicate and e.object_key = given.object_key and not e.negated
    join library.chunks c on c.id = e.chunk_id and c.text_hash = e.text_hash and (c.workspace_id = p_workspace and c.folder_id = any (v_folders) and not c.superseded
      and (c.expires_at is null or c.expires_at > now())) is true
    where p_after is null or e.chunk_id > p_after
    order by e.chunk_id
    limit p_limit;
end
$function$;
