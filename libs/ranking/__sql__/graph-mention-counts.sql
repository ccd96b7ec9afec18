create or replace function retrieval.graph_mention_counts(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean, p_keys text[], p_classes int[], p_newest uuid[], p_limit int
) returns table (class int, mentions int, created_at timestamptz) language plpgsql stable
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
  select k.class, count(distinct m.chunk_id)::int,
         (select i.created_at from library.items i where i.id = p_newest[k.class + 1])
    from unnest(p_keys, p_classes) as k(key, class)
    cross join lateral (
        select m.chunk_id
          from graph.mentions m join library.chunks c on c.id = m.chunk_id and c.text_hash = m.text_hash and (c.workspace_id = p_workspace and c.folder_id = any (v_folders) and not c.superseded
      and (c.expires_at is null or c.expires_at > now())) is true
          where m.workspace_id = p_workspace and m.entity_key = k.key
          order by m.position desc, m.chunk_id, m.ordinal
          limit p_limit) m
    group by k.class;
end
$function$;
