create or replace function retrieval.bm25_leg(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean, p_query text, p_limit int
) returns table (chunk_id uuid, item_id uuid, score float8) language plpgsql stable
set search_path = pg_catalog, public
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_sort = off
set enable_bitmapscan = off
as $function$
#variable_conflict use_column
declare
  v_folders uuid[];
begin
  select folder_ids into v_folders from retrieval.allowed_folders(p_workspace, p_folders, p_sensitive);
  return query
  select d.chunk_id, d.item_id, -bm25_get_current_score() as score
    from lexical.documents d
    where d.workspace_id = p_workspace and d.folder_id = any (v_folders)
      -- Word for word as in the index, which holds no others.
      and not d.sensitive
      and not d.superseded
      and (d.expires_at is null or d.expires_at > now())
    order by d.body <@> to_bm25query(p_query, 'lexical.documents_bm25')
    limit p_limit;
end
$function$;
