create or replace function retrieval.fulltext_best(
  p_workspace uuid, p_folders uuid[], p_superseded boolean, p_expired boolean, p_tags text[], p_query tsquery, p_keys bigint[], p_limit int
) returns table (chunk_id uuid, item_id uuid, score float8) language plpgsql stable
set search_path = pg_catalog, public
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $function$
#variable_conflict use_column
declare
  v_chunks uuid[];
  v_items uuid[];
  v_ranks float8[];
  v_count int;
begin
  select array_agg(top.id), array_agg(top.item_id), array_agg(top.rank), count(distinct top.item_id)
    into v_chunks, v_items, v_ranks, v_count
    from (
      select c.id, c.item_id, ts_rank_cd(c.words, p_query)::float8 as rank
        from library.chunks c
        where library.word_keys(c.workspace_id, c.words) @> p_keys
          and (c.workspace_id = p_workspace and c.folder_id = any (p_folders)) is true
          and (p_superseded or not c.superseded)
      and (p_expired or (c.expires_at is null or c.expires_at > now()))
      and c.tags @> p_tags
          and c.words @@ p_query
        order by rank desc, item_id, id
        limit p_limit * 4) top;
  if v_count < p_limit and cardinality(v_chunks) = p_limit * 4 then
    return query
    select (array_agg(found.id order by found.rank desc, found.id))[1], found.item_id, max(found.rank) as best
    from (
      select c.id, c.item_id, ts_rank_cd(c.words, p_query)::float8 as rank
        from library.chunks c
        where library.word_keys(c.workspace_id, c.words) @> p_keys
          and (c.workspace_id = p_workspace and c.folder_id = any (p_folders)) is true
          and (p_superseded or not c.superseded)
      and (p_expired or (c.expires_at is null or c.expires_at > now()))
      and c.tags @> p_tags
          and c.words @@ p_query
    ) found
    group by found.item_id
    order by best desc, found.item_id
    limit p_limit;
    return;
  end if;
  return query
  select (array_agg(found.id order by found.rank desc, found.id))[1], found.item_id, max(found.rank) as best
    from unnest(v_chunks, v_items, v_ranks) as found (id, item_id, rank)
    group by found.item_id
    order by best desc, found.item_id
    limit p_limit;
end
$function$;
