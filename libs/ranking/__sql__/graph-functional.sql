create or replace function retrieval.graph_functional(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean, p_predicates text[], p_min_confidence float8, p_limit int
) returns table (id uuid, ref_hash bytea, subject_key text, predicate text, object_key text, confidence float8,
  source_kind text, negated boolean, verdict text, chunk_id uuid, item_id uuid, folder_id uuid, "position" bigint) language plpgsql stable
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
  select e.id, e.ref_hash, e.subject_key, e.predicate, e.object_key, e.confidence, e.source_kind, e.negated,
         r.verdict, e.chunk_id, e.item_id, c.folder_id, e.position
    from graph.edges e
    join library.chunks c on c.id = e.chunk_id and c.text_hash = e.text_hash and (c.workspace_id = p_workspace and c.folder_id = any (v_folders) and not c.superseded
      and (c.expires_at is null or c.expires_at > now())) is true
    left join graph.reviews r on r.chunk_id = e.chunk_id and r.ref_hash = e.ref_hash
        where not e.negated and r.verdict is distinct from 'rejected'
      and e.workspace_id = p_workspace and e.predicate = any (p_predicates)
      and case when r.verdict = 'confirmed' then 'extracted' else e.source_kind end <> 'ambiguous' and case when r.verdict = 'confirmed' then 1 else e.confidence end >= p_min_confidence
    order by e.position desc, e.id
    limit p_limit;
end
$function$;
