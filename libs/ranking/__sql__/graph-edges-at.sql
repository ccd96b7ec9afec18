create or replace function retrieval.graph_edges_at(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean, p_keys text[], p_classes int[], p_kinds text[], p_min_confidence float8, p_per_node int, p_limit int
) returns table (subject_key text, predicate text, object_key text, confidence float8, evidence_count int, evidence_ids text,
  dropped_confidence int, dropped_kind int, is_cut boolean) language plpgsql stable
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
  with rows as materialized (
    select k.class, k.key, 'subject' as side, e.*, e.kind = any (p_kinds) as fits
      from unnest(p_keys, p_classes) as k(key, class)
      cross join lateral (
        select e.subject_key, e.predicate, e.object_key, e.id, e.chunk_id, e.position,
               case when r.verdict = 'confirmed' then 1 else e.confidence end as confidence, case when r.verdict = 'confirmed' then 'extracted' else e.source_kind end as kind
          from graph.edges e
          join library.chunks c on c.id = e.chunk_id and c.text_hash = e.text_hash and (c.workspace_id = p_workspace and c.folder_id = any (v_folders) and not c.superseded
      and (c.expires_at is null or c.expires_at > now())) is true
          left join graph.reviews r on r.chunk_id = e.chunk_id and r.ref_hash = e.ref_hash
        where not e.negated and r.verdict is distinct from 'rejected'
            and e.workspace_id = p_workspace and e.subject_key = k.key
          order by e.confidence desc, e.position, e.chunk_id, e.ordinal
          limit greatest(50, 2000 / greatest(1, cardinality(p_keys)))) e
    union all
    select k.class, k.key, 'object', e.*, e.kind = any (p_kinds)
      from unnest(p_keys, p_classes) as k(key, class)
      cross join lateral (
        select e.subject_key, e.predicate, e.object_key, e.id, e.chunk_id, e.position,
               case when r.verdict = 'confirmed' then 1 else e.confidence end as confidence, case when r.verdict = 'confirmed' then 'extracted' else e.source_kind end as kind
          from graph.edges e
          join library.chunks c on c.id = e.chunk_id and c.text_hash = e.text_hash and (c.workspace_id = p_workspace and c.folder_id = any (v_folders) and not c.superseded
      and (c.expires_at is null or c.expires_at > now())) is true
          left join graph.reviews r on r.chunk_id = e.chunk_id and r.ref_hash = e.ref_hash
        where not e.negated and r.verdict is distinct from 'rejected'
            and e.workspace_id = p_workspace and e.object_key = k.key and e.subject_key <> all (p_keys)
          order by e.confidence desc, e.position, e.chunk_id, e.ordinal
          limit greatest(50, 2000 / greatest(1, cardinality(p_keys)))) e
  ), edges as (
    select min(class) as class, subject_key, predicate, object_key, bool_or(fits) as of_kind,
           max(confidence) filter (where fits) as confidence,
           -- A chunk that states an edge twice has two rows with one id.
           count(distinct id) filter (where fits) as n,
           array_agg(id order by confidence desc, position, chunk_id, id) filter (where fits) as ids
      from rows
      group by subject_key, predicate, object_key
  ), kept as (
    select e.*, row_number() over (partition by class order by confidence desc, n desc, subject_key, predicate, object_key) as rank
      from edges e where of_kind and confidence >= p_min_confidence
  ), shown as (
    -- The best edge of each entity, then the second best of each: none crowds out the others.
    select * from kept where rank <= p_per_node order by rank, confidence desc, n desc, subject_key, predicate, object_key limit p_limit
  )
  select s.subject_key, s.predicate, s.object_key, s.confidence, s.n::int,
         array_to_string(s.ids[1:6], ','), null::int, null::int, null::boolean
    from shown s
  union all
  select null, null, null, null, null, null,
         (select count(*)::int from edges where of_kind and confidence < p_min_confidence),
         (select count(*)::int from edges where not of_kind),
         (select count(*) from kept) > (select count(*) from shown)
           or exists (select from rows group by key, side having count(*) >= greatest(50, 2000 / greatest(1, cardinality(p_keys))));
end
$function$;
