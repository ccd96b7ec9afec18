create or replace function retrieval.graph_names(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean, p_key text, p_words text[], p_limit int
) returns table (key text, match text) language plpgsql stable
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
  select found.key, found.match
    from (
      select e.key, case
               when e.key = p_key then 'exact'
               when to_tsvector('simple'::regconfig, e.key) @@ w.words then 'word'
               else 'prefix'
             end as match
        from (
          select plainto_tsquery('simple'::regconfig, array_to_string(p_words, ' ')) as words,
                 to_tsquery('simple'::regconfig, (
                   select string_agg('''' || replace(replace(word, '\', '\\'), '''', '''''') || ''':*', ' & ')
          from unnest(p_words) as w(word))) as beginnings
        ) w
        cross join lateral (
          select n.key from graph.entities n where n.workspace_id = p_workspace and n.key = p_key
          union
          select n.key from graph.entities n
            where to_tsvector('simple'::regconfig, n.key) @@ w.beginnings and (n.workspace_id = p_workspace) is true
        ) e
    ) found
    where exists (
      select from graph.mentions m join library.chunks c on c.id = m.chunk_id and c.text_hash = m.text_hash and (c.workspace_id = p_workspace and c.folder_id = any (v_folders) and not c.superseded
      and (c.expires_at is null or c.expires_at > now())) is true
      where m.workspace_id = p_workspace and m.entity_key = found.key)
    order by found.match = 'exact' desc, found.match = 'word' desc, found.key
    limit p_limit;
end
$function$;
