import { ALLOWED, bestByWords, FILTER, WORDS_SETTINGS } from './leg-queries.sql.js';
import { define, READER } from './sql-function.js';

export const bm25Leg = define(
  'bm25_leg',
  `${READER}, p_query text, p_limit int`,
  WORDS_SETTINGS,
  `
declare
  v_folders uuid[];
begin
  select folder_ids into v_folders from retrieval.allowed_folders(p_workspace, p_folders, p_sensitive);
  return query
  ${bestByWords(ALLOWED, 'p_query')};
end`,
);

/**
 * Both legs by words of an item search in one round trip, since PGlite runs one statement at a time. Items and scores
 * are returned as lists, which cost the client half as much as rows.
 */
export const wordLegs = define(
  'word_legs',
  `${READER}, ${FILTER}, p_query text, p_limit int,
  out fulltext_ids text, out fulltext_scores text, out title_ids text, out title_scores text`,
  [],
  `
begin
  select string_agg(item_id::text, ','), string_agg(score::text, ',') into fulltext_ids, fulltext_scores
    from retrieval.fulltext_leg(
      p_workspace, p_folders, p_sensitive, p_superseded, p_expired, p_tags, p_query, p_limit);
  select string_agg(item_id::text, ','), string_agg(score::text, ',') into title_ids, title_scores
    from retrieval.title_leg(
      p_workspace, p_folders, p_sensitive, p_superseded, p_expired, p_tags, p_query, p_limit);
end`,
  'record',
);
