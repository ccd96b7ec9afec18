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
  v_scope bigint;
  v_words text[] := retrieval.query_words(p_query);
  v_query tsquery := retrieval.all_of_words(v_words);
  v_keys bigint[];
begin
  if v_query is null then
    return;
  end if;
  select folder_ids, chunk_count into v_folders, v_scope
    from retrieval.allowed_folders(p_workspace, p_folders, p_sensitive);
  if v_scope <= 300 then
    return query
    select (array_agg(found.id order by found.rank desc, found.id))[1], found.item_id, max(found.rank) as best
    from (
      select c.id, c.item_id, ts_rank_cd(c.words, v_query)::float8 as rank
        from library.chunks c
        where c.workspace_id = p_workspace and c.folder_id = any (v_folders)
          and (p_superseded or not c.superseded)
      and (p_expired or (c.expires_at is null or c.expires_at > now()))
      and c.tags @> p_tags
          and c.words @@ v_query
    ) found
    group by found.item_id
    order by best desc, found.item_id
    limit p_limit;
    return;
  end if;
  if cardinality(v_words) = 1 then
    v_keys := retrieval.frequent_word(p_workspace, v_folders, p_superseded, p_expired, p_tags, v_words[1], p_limit);
  end if;
  v_keys := coalesce(v_keys, array(select library.word_key(p_workspace, word, 1) from unnest(v_words) as word));
  return query
  select * from retrieval.fulltext_best(
    p_workspace, v_folders, p_superseded, p_expired, p_tags, v_query, v_keys, p_limit);
end
$function$;
