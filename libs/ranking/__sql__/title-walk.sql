create or replace function retrieval.title_walk(
  p_workspace uuid, p_folders uuid[], p_superseded boolean, p_expired boolean, p_tags text[], p_query text, p_pattern text, p_rows bigint, p_limit int
) returns table (chunk_id uuid, item_id uuid, score float8) language plpgsql stable
set search_path = pg_catalog, public
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_sort = off
set enable_bitmapscan = off
as $function$
#variable_conflict use_column
declare
  v_is_ascii boolean := octet_length(p_query) = char_length(p_query);
begin
  return query
  select c.id, c.item_id, char_length(p_query)::float8 / greatest(char_length(c.title), 1)
    from (
      select c.*, greatest(char_length(c.title), 1) as length
        from library.chunks c
        where c.title is not null
          and c.workspace_id = p_workspace
          -- No title that is shorter than the query contains it. Beyond ASCII, lower case may have more letters.
          and greatest(char_length(c.title), 1) >= case when v_is_ascii then char_length(p_query) else 0 end
        order by length, c.id
        limit p_rows) c
    where (c.workspace_id = p_workspace and c.folder_id = any (p_folders)) is true
      and (p_superseded or not c.superseded)
      and (p_expired or (c.expires_at is null or c.expires_at > now()))
      and c.tags @> p_tags
      and (v_is_ascii and c.title collate "C" ilike p_pattern or not v_is_ascii and c.title ilike p_pattern)
    order by c.length, c.id
    limit p_limit;
end
$function$;
