create or replace function retrieval.graph_evidence(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean, p_ids uuid[], p_kinds text[]
) returns table (id uuid, source_kind text, verdict text, chunk_id uuid, item_id uuid, "position" bigint, folder_id uuid, tier text) language plpgsql stable
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
  select distinct on (e.id) e.id, case when r.verdict = 'confirmed' then 'extracted' else e.source_kind end, r.verdict, e.chunk_id, e.item_id, e.position, c.folder_id,
         (select f.tier from library.folders f where f.id = c.folder_id)
    from unnest(p_ids) as k(id)
    join graph.edges e on e.id = k.id and (e.workspace_id = p_workspace) is true
    join library.chunks c on c.id = e.chunk_id and c.text_hash = e.text_hash and (c.workspace_id = p_workspace and c.folder_id = any (v_folders) and not c.superseded
      and (c.expires_at is null or c.expires_at > now())) is true
    left join graph.reviews r on r.chunk_id = e.chunk_id and r.ref_hash = e.ref_hash
        where not e.negated and r.verdict is distinct from 'rejected' and case when r.verdict = 'confirmed' then 'extracted' else e.source_kind end = any (p_kinds)
    order by e.id, case when r.verdict = 'confirmed' then 1 else e.confidence end desc, e.position, e.ordinal;
end
$function$;
