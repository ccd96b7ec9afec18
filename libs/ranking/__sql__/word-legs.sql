create or replace function retrieval.word_legs(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean, p_superseded boolean, p_expired boolean, p_tags text[], p_query text, p_limit int,
  out fulltext_ids text, out fulltext_scores text, out title_ids text, out title_scores text
) returns record language plpgsql stable
set search_path = pg_catalog, public
set plan_cache_mode = force_generic_plan
as $function$
#variable_conflict use_column
begin
  select string_agg(item_id::text, ','), string_agg(score::text, ',') into fulltext_ids, fulltext_scores
    from retrieval.fulltext_leg(
      p_workspace, p_folders, p_sensitive, p_superseded, p_expired, p_tags, p_query, p_limit);
  select string_agg(item_id::text, ','), string_agg(score::text, ',') into title_ids, title_scores
    from retrieval.title_leg(
      p_workspace, p_folders, p_sensitive, p_superseded, p_expired, p_tags, p_query, p_limit);
end
$function$;
