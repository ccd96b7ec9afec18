create or replace function retrieval.frequent_word(
  p_workspace uuid, p_folders uuid[], p_superseded boolean, p_expired boolean, p_tags text[], p_word text, p_limit int
) returns bigint[] language plpgsql stable
set search_path = pg_catalog, public
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $function$
#variable_conflict use_column
begin
  return (
    select frequent.keys
      from unnest(library.word_counts()) as counted,
           lateral (select array[library.word_key(p_workspace, p_word, counted)] as keys offset 0) frequent
      where p_limit <= (
        select count(distinct enough.item_id) from (
          select c.item_id from library.chunks c
            where library.word_keys(c.workspace_id, c.words) @> frequent.keys
          and (c.workspace_id = p_workspace and c.folder_id = any (p_folders)) is true
          and (p_superseded or not c.superseded)
      and (p_expired or (c.expires_at is null or c.expires_at > now()))
      and c.tags @> p_tags
            limit p_limit * 4) enough)
      limit 1);
end
$function$;
