import { ALLOWED, bestByWords } from './leg-queries.sql.js';
import { define, NESTED_LOOPS, READER } from './sql-function.js';
import { PROPOSAL, PROPOSAL_ARGUMENTS } from './vector.sql.js';
import { WINNER_COLUMNS } from './winners.sql.js';

/** How much each leg of a hybrid search counts. */
export const HYBRID_WEIGHTS = { vector: 0.7, bm25: 0.3 } as const;

/** The chunks of one leg, from the best to the worst, with their share of the score after fusion. */
const shares = (ids: string, scores: string, weight: number): string =>
  `select leg.id, ${weight} * coalesce((leg.score - ${scores}[cardinality(${scores})])
            / nullif(${scores}[1] - ${scores}[cardinality(${scores})], 0), 1) as share
          from unnest(${ids}, ${scores}) as leg (id, score)`;

/**
 * A hybrid search, if one database holds both legs, in one round trip: on PGlite, which runs one statement at a time,
 * each statement costs a millisecond before it does anything.
 *
 * The first row has both legs, as lists of ids and scores, which cost the client half as much as 200 rows. The rows after it
 * are the chunks that fusion will probably choose. Fusion itself is the client's: a chunk that it chooses and that is not
 * among them is loaded by `winning_chunks`.
 */
export const hybridSearch = define(
  'hybrid_search',
  `${READER},
  p_model text, p_query vector, p_ef_search int, p_words text, p_limit int, p_hits int,
  ${PROPOSAL}`,
  [NESTED_LOOPS, 'set enable_sort = off', 'set enable_bitmapscan = off'],
  `
declare
  v_folders uuid[];
  v_scope bigint;
  v_near uuid[];
  v_near_scores float8[];
  v_worded uuid[];
  v_worded_scores float8[];
  v_likely uuid[];
begin
  select folder_ids, chunk_count into v_folders, v_scope
    from retrieval.allowed_folders(p_workspace, p_folders, p_sensitive);
  if v_scope = 0 then
    return;
  end if;
  select near.chunk_ids, near.scores, near.behind, near.was_short
    into v_near, v_near_scores, behind, was_short
    from retrieval.nearest_chunks(
      p_workspace, v_folders, false, false, '{}', p_model, p_query, p_limit, v_scope, p_ef_search,
      ${PROPOSAL_ARGUMENTS}) near;
  -- Words that the index does not know leave nothing to search for.
  if p_words <> '' then
    select array_agg(chunk_id), array_agg(score) into v_worded, v_worded_scores from (
    ${bestByWords(ALLOWED, 'p_words')}) hits where score > 0;
  end if;
  select array_agg(likely.id) into v_likely from (
    select part.id
      from (
        ${shares('v_near', 'v_near_scores', HYBRID_WEIGHTS.vector)}
        union all
        ${shares('v_worded', 'v_worded_scores', HYBRID_WEIGHTS.bm25)}
      ) part
      group by part.id
      order by sum(part.share) desc
      limit p_hits
  ) likely;
  vector_ids := array_to_string(v_near, ',');
  vector_scores := array_to_string(v_near_scores, ',');
  bm25_ids := array_to_string(v_worded, ',');
  bm25_scores := array_to_string(v_worded_scores, ',');
  return next;
  return query select null, null, null, null, null::int, null::boolean, winner.*
    from retrieval.winning_chunks(v_likely, p_workspace, p_folders, p_sensitive) winner;
end`,
  `table (
  vector_ids text, vector_scores text, bm25_ids text, bm25_scores text, behind int, was_short boolean,
  ${WINNER_COLUMNS}
)`,
);
