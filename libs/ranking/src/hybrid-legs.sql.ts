import { ALLOWED, bestByWords } from './leg-queries.sql.js';
import { define, NESTED_LOOPS, READER } from './sql-function.js';
import { PROPOSAL, PROPOSAL_ARGUMENTS } from './vector.sql.js';

/**
 * Both legs of a hybrid search, if one database holds both, in one round trip with one folder lookup: on PGlite, which
 * runs one statement at a time, that takes a quarter less time than two calls. Ids and scores are returned as lists,
 * which cost the client half as much as 200 rows.
 */
export const bothLegs = define(
  'both_legs',
  `${READER},
  p_model text, p_query vector, p_ef_search int, p_words text, p_limit int,
  ${PROPOSAL},
  out vector_ids text, out vector_scores text, out bm25_ids text, out bm25_scores text,
  out behind int, out was_short boolean`,
  [NESTED_LOOPS, 'set enable_sort = off', 'set enable_bitmapscan = off'],
  `
declare
  v_folders uuid[];
  v_scope bigint;
begin
  select folder_ids, chunk_count into v_folders, v_scope
    from retrieval.allowed_folders(p_workspace, p_folders, p_sensitive);
  if v_scope = 0 then
    return;
  end if;
  select array_to_string(near.chunk_ids, ','), array_to_string(near.scores, ','), near.behind, near.was_short
    into vector_ids, vector_scores, behind, was_short
    from retrieval.nearest_chunks(
      p_workspace, v_folders, false, false, '{}', p_model, p_query, p_limit, v_scope, p_ef_search,
      ${PROPOSAL_ARGUMENTS}) near;
  -- Words that the index does not know leave nothing to search for.
  if p_words <> '' then
    select string_agg(chunk_id::text, ','), string_agg(score::text, ',') into bm25_ids, bm25_scores from (
    ${bestByWords(ALLOWED, 'p_words')}) hits where score > 0;
  end if;
end`,
  'record',
);
