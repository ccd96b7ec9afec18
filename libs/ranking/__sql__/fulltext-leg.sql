create or replace function retrieval.fulltext_leg(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean, p_superseded boolean, p_expired boolean, p_tags text[], p_query text, p_limit int
) returns table (chunk_id uuid, item_id uuid, score float8) language plpgsql stable
set search_path = pg_catalog, public
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $function$
#variable_conflict use_column
declare
  v_folders uuid[];
  v_query tsquery := retrieval.all_of_words(retrieval.query_words(p_query));
begin
  if v_query is null then
    return;
  end if;
  select folder_ids into v_folders from retrieval.allowed_folders(p_workspace, p_folders, p_sensitive);
  -- One row per item, its best chunk: a long item must not crowd the others out of the limit.
  return query
  select (array_agg(found.id order by found.rank desc, found.id))[1], found.item_id, max(found.rank) as best
    from (
      select c.id, c.item_id, ts_rank_cd(c.words, v_query)::float8 as rank
        from library.chunks c
        where c.words @@ v_query
          and (c.workspace_id = p_workspace and c.folder_id = any (v_folders)) is true
          and (p_superseded or not c.superseded)
      and (p_expired or (c.expires_at is null or c.expires_at > now()))
      and c.tags @> p_tags
    ) found
    group by found.item_id
    order by best desc, found.item_id
    limit p_limit;
end
$function$;
