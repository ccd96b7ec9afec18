import { QUERY_TERMS_MAX } from '@cairn/contracts';

/**
 * The distinct words of a query as `to_tsvector` splits them, in the order of the query, at most QUERY_TERMS_MAX. Ranking
 * costs more than linear time in the words of a query, and `plainto_tsquery` keeps a word as often as it is written:
 * one word 400 times took 3.7 s on 3,000 chunks.
 */
export const queryWords = `create or replace function retrieval.query_words(
  p_query text
) returns text[] language sql immutable
as $function$
  select array(
    select lexeme from unnest(to_tsvector('simple', p_query)) order by positions[1] limit ${QUERY_TERMS_MAX})
$function$;
`;

/**
 * A query for all of these words, each of them quoted. Matches and ranks as `plainto_tsquery` does for the text that the
 * words come from. Without words it is null, which matches nothing.
 */
export const allOfWords = `create or replace function retrieval.all_of_words(
  p_words text[]
) returns tsquery language sql immutable
as $function$
  select string_agg('''' || replace(replace(word, '\\', '\\\\'), '''', '''''') || '''', ' & ')::tsquery
    from unnest(p_words) as word
$function$;
`;
