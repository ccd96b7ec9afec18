create or replace function retrieval.all_of_words(
  p_words text[]
) returns tsquery language sql immutable
as $function$
  select string_agg('''' || replace(replace(word, '\', '\\'), '''', '''''') || '''', ' & ')::tsquery
    from unnest(p_words) as word
$function$;
