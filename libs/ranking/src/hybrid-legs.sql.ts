import { isCurrent } from '@cairn/access';
import { ALLOWED, bestByWords, nearestByWalk, WALK_SETTINGS } from './leg-queries.sql.js';
import { define, NESTED_LOOPS, READER } from './sql-function.js';

/**
 * Both legs of a hybrid search, if one database holds both, in one round trip with one folder lookup: on PGlite, which
 * runs one statement at a time, that takes a quarter less time than two calls. Ids and scores are returned as lists,
 * which cost the client half as much as 200 rows.
 */
export const hybridLegs = define(
  'hybrid_legs',
  `${READER},
  p_model text, p_query vector, p_words text, p_limit int,
  out vector_ids text, out vector_scores text, out bm25_ids text, out bm25_scores text`,
  [NESTED_LOOPS, WALK_SETTINGS, 'set enable_bitmapscan = off'],
  `
declare
  v_folders uuid[];
  v_scope bigint;
  v_total bigint;
  v_chunks uuid[];
  v_scores float8[];
begin
  select folder_ids, chunk_count into v_folders, v_scope
    from retrieval.allowed_folders(p_workspace, p_folders, p_sensitive);
  if v_scope = 0 then
    return;
  end if;
  select sum(f.chunk_count) into v_total from library.folders f;
  if not retrieval.prefers_exact(v_scope, v_total, p_limit) then
    select array_agg(chunk_id), array_agg(score) into v_chunks, v_scores from (
    ${nearestByWalk(ALLOWED, isCurrent('c'))}) hits;
  end if;
  -- As in vector_leg: a walk that was stopped must not cost a hit.
  if coalesce(cardinality(v_chunks), 0) < least(p_limit, v_scope) then
    select array_agg(chunk_id), array_agg(score) into v_chunks, v_scores
      from retrieval.vector_exact(
        p_workspace, v_folders, false, false, '{}', p_model, p_query, p_limit);
  end if;
  vector_ids := array_to_string(v_chunks, ',');
  vector_scores := array_to_string(v_scores, ',');
  -- Words that the index does not know leave nothing to search for.
  if p_words <> '' then
    select string_agg(chunk_id::text, ','), string_agg(score::text, ',') into bm25_ids, bm25_scores from (
    ${bestByWords(ALLOWED, 'p_words')}) hits where score > 0;
  end if;
end`,
  'record',
);
