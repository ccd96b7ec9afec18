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
  -- Case folding by locale costs three times as much as for ASCII, and only a query beyond ASCII needs it.
  v_is_ascii boolean := octet_length(p_query) = char_length(p_query);
  v_pattern text := '%' || regexp_replace(p_query, '([\\%_])', '\\\1', 'g') || '%';
begin
  -- No title is this long.
  if char_length(p_query) > 500 then
    return;
  end if;
  select folder_ids into v_folders from retrieval.allowed_folders(p_workspace, p_folders, p_sensitive);
  -- The larger the part of the title that the query covers, the better the match.
  return query
  select c.id, c.item_id, char_length(p_query)::float8 / greatest(char_length(c.title), 1) as rank
    from library.chunks c
    where c.workspace_id = p_workspace and c.folder_id = any (v_folders)
      and (v_is_ascii and c.title collate "C" ilike v_pattern or not v_is_ascii and c.title ilike v_pattern)
      and (p_superseded or not c.superseded)
      and (p_expired or (c.expires_at is null or c.expires_at > now()))
      and c.tags @> p_tags
    order by rank desc, c.id
    limit p_limit;
end
$function$;
