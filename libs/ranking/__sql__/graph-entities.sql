create or replace function retrieval.graph_entities(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean, p_keys text[], p_classes int[], p_named boolean[], p_limit int
) returns table (class int, name text, type text, mentions int, "position" bigint, created_at timestamptz,
  chunk_id uuid, item_id uuid, folder_id uuid, tier text, start int, stop int) language plpgsql stable
set search_path = pg_catalog, public
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set join_collapse_limit = 1
set enable_hashjoin = on
as $function$
#variable_conflict use_column
declare
  v_folders uuid[];
begin
  select folder_ids into v_folders from retrieval.allowed_folders(p_workspace, p_folders, p_sensitive);
  return query
  with seen as materialized (
    select k.class, k.named, m.*
      from unnest(p_keys, p_classes, p_named) as k(key, class, named)
      cross join lateral (
        select m.surface, m.type, m.type_confidence, m.position, m.chunk_id, m.item_id, m.start, m.stop, c.folder_id
          from graph.mentions m join library.chunks c on c.id = m.chunk_id and c.text_hash = m.text_hash and (c.workspace_id = p_workspace and c.folder_id = any (v_folders) and not c.superseded
      and (c.expires_at is null or c.expires_at > now())) is true
          where m.workspace_id = p_workspace and m.entity_key = k.key
          order by m.position desc, m.chunk_id, m.surface
          limit 5) m
  ), names as (
    select distinct on (class) class, surface
      from (
        select class, surface, bool_or(named) as named, count(*) as n, min(position) as first
          from seen group by class, surface
      ) form
      order by class, named desc, n desc, first, surface collate "C"
  ), types as (
    select distinct on (class) class, type
      from (
        select class, type, round(sum(type_confidence)::numeric, 6) as weight, min(position) as first
          from seen group by class, type
      ) kind
      order by class, weight desc, first, type
  ), counts as (
    select k.class, count(distinct m.chunk_id)::int as mentions
      from unnest(p_keys, p_classes) as k(key, class)
      cross join lateral (
        select m.chunk_id
          from graph.mentions m join library.chunks c on c.id = m.chunk_id and c.text_hash = m.text_hash and (c.workspace_id = p_workspace and c.folder_id = any (v_folders) and not c.superseded
      and (c.expires_at is null or c.expires_at > now())) is true
          where m.workspace_id = p_workspace and m.entity_key = k.key
          order by m.position desc, m.chunk_id, m.surface
          limit p_limit) m
      group by k.class
  ), newest as (
    select distinct on (class) class, chunk_id, item_id, folder_id, start, stop, position
      from seen order by class, position desc, start is null, chunk_id, start
  )
  select names.class, names.surface, types.type, coalesce(counts.mentions, 0), newest.position, i.created_at,
         newest.chunk_id, newest.item_id, newest.folder_id, f.tier, newest.start, newest.stop
    from newest
    join library.items i on i.id = newest.item_id
    join library.folders f on f.id = newest.folder_id
    join names on names.class = newest.class
    join types on types.class = newest.class
    left join counts on counts.class = newest.class;
end
$function$;
