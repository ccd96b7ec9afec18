create or replace function retrieval.title_leg(
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
  v_border bigint;
  v_is_ascii boolean := octet_length(p_query) = char_length(p_query);
  v_pattern text := '%' || regexp_replace(p_query, '([\\%_])', '\\\1', 'g') || '%';
  v_keys bigint[];
  v_chunks uuid[];
  v_items uuid[];
  v_ranks float8[];
begin
  -- No title is this long.
  if char_length(p_query) > 500 then
    return;
  end if;
  select folder_ids, chunk_count into v_folders, v_scope
    from retrieval.allowed_folders(p_workspace, p_folders, p_sensitive);
  if v_scope <= 300 then
    return query
    select c.id, c.item_id, char_length(p_query)::float8 / greatest(char_length(c.title), 1) as rank
      from library.chunks c
      where c.workspace_id = p_workspace and c.folder_id = any (v_folders)
          and (p_superseded or not c.superseded)
      and (p_expired or (c.expires_at is null or c.expires_at > now()))
      and c.tags @> p_tags
        and (v_is_ascii and c.title collate "C" ilike v_pattern or not v_is_ascii and c.title ilike v_pattern)
      order by rank desc, c.id
      limit p_limit;
    return;
  end if;
  select ceil(sqrt(p_limit * sum(f.chunk_count))) into v_border from library.folders f where f.workspace_id = p_workspace;
  v_keys := library.title_query_keys(p_workspace, p_query);
  if v_keys is not null then
    select array_agg(found.id), array_agg(found.item_id), array_agg(found.rank) into v_chunks, v_items, v_ranks from (
      select c.id, c.item_id, char_length(p_query)::float8 / greatest(char_length(c.title), 1) as rank
        from library.chunks c
        where c.title is not null and library.title_keys(c.workspace_id, c.title) @> v_keys
          and (c.workspace_id = p_workspace and c.folder_id = any (v_folders)) is true
          and (p_superseded or not c.superseded)
      and (p_expired or (c.expires_at is null or c.expires_at > now()))
      and c.tags @> p_tags
          and (v_is_ascii and c.title collate "C" ilike v_pattern or not v_is_ascii and c.title ilike v_pattern)
        limit v_border + 1) found;
    if coalesce(cardinality(v_chunks), 0) <= v_border then
      return query
      select * from unnest(v_chunks, v_items, v_ranks) as found (id, item_id, rank)
        order by found.rank desc, found.id
        limit p_limit;
      return;
    end if;
  end if;
  if v_keys is not null or v_scope > 10 * v_border * v_border / v_scope then
    select array_agg(found.chunk_id), array_agg(found.item_id), array_agg(found.score) into v_chunks, v_items, v_ranks
      from retrieval.title_walk(
        p_workspace, v_folders, p_superseded, p_expired, p_tags, p_query, v_pattern, 4 * v_border, p_limit) found;
    if cardinality(v_chunks) = p_limit then
      return query
      select * from unnest(v_chunks, v_items, v_ranks);
      return;
    end if;
  end if;
  if v_keys is not null then
    return query
    select c.id, c.item_id, char_length(p_query)::float8 / greatest(char_length(c.title), 1) as rank
      from library.chunks c
      where c.title is not null and library.title_keys(c.workspace_id, c.title) @> v_keys
          and (c.workspace_id = p_workspace and c.folder_id = any (v_folders)) is true
          and (p_superseded or not c.superseded)
      and (p_expired or (c.expires_at is null or c.expires_at > now()))
      and c.tags @> p_tags
        and (v_is_ascii and c.title collate "C" ilike v_pattern or not v_is_ascii and c.title ilike v_pattern)
      order by rank desc, c.id
      limit p_limit;
  else
    return query
    select c.id, c.item_id, char_length(p_query)::float8 / greatest(char_length(c.title), 1) as rank
      from library.chunks c
      where c.workspace_id = p_workspace and c.folder_id = any (v_folders)
          and (p_superseded or not c.superseded)
      and (p_expired or (c.expires_at is null or c.expires_at > now()))
      and c.tags @> p_tags
        and (v_is_ascii and c.title collate "C" ilike v_pattern or not v_is_ascii and c.title ilike v_pattern)
      order by rank desc, c.id
      limit p_limit;
  end if;
end
$function$;
