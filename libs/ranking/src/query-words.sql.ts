import { QUERY_TERMS_MAX } from '@cairn/contracts';

/**
 * The distinct words of a query as `to_tsvector` splits them, in the order of the query, at most QUERY_TERMS_MAX.
 * Ranking takes more than linear time in the number of words, and `plainto_tsquery` keeps every repetition of a word:
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
 * A query for all of these words, each of them quoted. Matches and ranks like `plainto_tsquery` for the text from which
 * the words come. Without words it is null, which matches nothing.
 */
export const allOfWords = `create or replace function retrieval.all_of_words(
  p_words text[]
) returns tsquery language sql immutable
as $function$
  select string_agg('''' || replace(replace(word, '\\', '\\\\'), '''', '''''') || '''', ' & ')::tsquery
    from unnest(p_words) as word
$function$;
`;
