create or replace function retrieval.query_words(
  p_query text
) returns text[] language sql immutable
as $function$
  select array(
    select lexeme from unnest(to_tsvector('simple', p_query)) order by positions[1] limit 128)
$function$;
