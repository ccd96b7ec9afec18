create or replace function retrieval.graph_keys(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean, p_after text, p_words text[], p_limit int
) returns table (key text) language plpgsql stable
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
  v_chunks bigint;
begin
  select folder_ids, chunk_count into v_folders, v_chunks
    from retrieval.allowed_folders(p_workspace, p_folders, p_sensitive);
  if v_chunks <= 5000 then
    return query
    select distinct m.entity_key
      from library.chunks c
      cross join lateral (
        select m.entity_key from graph.mentions m where m.chunk_id = c.id and m.text_hash = c.text_hash offset 0
      ) m
      where c.workspace_id = p_workspace and c.folder_id = any (v_folders) and not c.superseded
      and (c.expires_at is null or c.expires_at > now())
        and (p_after is null or m.entity_key > p_after collate "C")
        and (p_words is null or to_tsvector('simple'::regconfig, m.entity_key) @@ to_tsquery('simple'::regconfig, (
          select string_agg('''' || replace(replace(word, '\', '\\'), '''', '''''') || ''':*', ' & ')
          from unnest(p_words) as w(word))))
      order by m.entity_key
      limit p_limit;
  else
    return query
    select e.key
      from graph.entities e
      where e.workspace_id = p_workspace
        and (p_after is null or e.key > p_after collate "C")
        and (p_words is null or to_tsvector('simple'::regconfig, e.key) @@ to_tsquery('simple'::regconfig, (
          select string_agg('''' || replace(replace(word, '\', '\\'), '''', '''''') || ''':*', ' & ')
          from unnest(p_words) as w(word))))
        and exists (
      select from graph.mentions m join library.chunks c on c.id = m.chunk_id and c.text_hash = m.text_hash and (c.workspace_id = p_workspace and c.folder_id = any (v_folders) and not c.superseded
      and (c.expires_at is null or c.expires_at > now())) is true
      where m.workspace_id = p_workspace and m.entity_key = e.key)
      order by e.key
      limit p_limit;
  end if;
end
$function$;
