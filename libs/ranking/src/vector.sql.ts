import { isInFolders } from '@cairn/access';
import { FILTER, MATCHES_FILTER, nearestByWalk, WALK_SETTINGS } from './leg-queries.sql.js';
import { define, NESTED_LOOPS, READER, READER_SQL } from './sql-function.js';

/**
 * Up to this many chunks, every vector that the reader may see is compared: this takes some milliseconds (about 6 µs
 * per row on PGlite), and no match is missed. The graph misses single texts next to a crowd of near-duplicates,
 * whatever its width: of 826 such vectors, 1 to 5 could not be reached, with m from 12 to 48.
 */
export const EXACT_CHUNKS_MAX = 2_000;

export const prefersExact = `create or replace function retrieval.prefers_exact(
  p_scope bigint, p_total bigint, p_wanted int
) returns boolean language sql immutable
as $function$
  -- The index must walk past wanted * total / scope rows to find the wanted ones, at some three times the cost of a row
  -- of the exact scan.
  select p_scope <= ${EXACT_CHUNKS_MAX} or p_scope * p_scope <= 3 * p_wanted * p_total
$function$;
`;

const VECTOR_PARAMETERS = `p_workspace uuid, p_folders uuid[], p_superseded boolean, p_expired boolean, p_tags text[],
  p_model text, p_query vector, p_limit int`;

export const vectorExact = define(
  'vector_exact',
  VECTOR_PARAMETERS,
  // It sorts the rows that it reads, even if its caller has turned sorting off for itself.
  [NESTED_LOOPS, 'set enable_sort = on', 'set enable_bitmapscan = on'],
  `
begin
  return query
  select c.id, c.item_id, 1 - (e.embedding <=> p_query)
    from library.chunks c
    join vectors.embeddings e on e.chunk_id = c.id and e.text_hash = c.text_hash and e.model = p_model
    where ${isInFolders('c', READER_SQL)}
      and ${MATCHES_FILTER}
    order by e.embedding <=> p_query
    limit p_limit;
end`,
);

export const vectorIndex = define(
  'vector_index',
  `${VECTOR_PARAMETERS}, p_ef_search int`,
  [NESTED_LOOPS, WALK_SETTINGS],
  `
begin
  -- Ends with this call, because the function itself sets the same name.
  perform set_config('hnsw.ef_search', least(greatest(p_ef_search, 1), 200)::text, true);
  return query
  ${nearestByWalk(READER_SQL, MATCHES_FILTER)};
end`,
);

export const vectorLeg = define(
  'vector_leg',
  `${READER}, ${FILTER},
  p_model text, p_query vector, p_ef_search int, p_limit int`,
  [],
  `
declare
  v_folders uuid[];
  v_scope bigint;
  v_total bigint;
  v_chunks uuid[];
  v_items uuid[];
  v_scores float8[];
begin
  select folder_ids, chunk_count into v_folders, v_scope
    from retrieval.allowed_folders(p_workspace, p_folders, p_sensitive);
  if v_scope = 0 then
    return;
  end if;
  select sum(f.chunk_count) into v_total from library.folders f;
  -- How many chunks have a tag is not known, and few would mean a long walk: the scan filters by tags first.
  if cardinality(p_tags) = 0 and not retrieval.prefers_exact(v_scope, v_total, p_limit) then
    select array_agg(chunk_id), array_agg(item_id), array_agg(score) into v_chunks, v_items, v_scores
      from retrieval.vector_index(
        p_workspace, v_folders, p_superseded, p_expired, p_tags, p_model, p_query, p_limit, p_ef_search);
  end if;
  -- A walk that was stopped, or a node that no path reaches, must not cost a hit.
  if coalesce(cardinality(v_chunks), 0) < least(p_limit, v_scope) then
    return query select * from retrieval.vector_exact(
      p_workspace, v_folders, p_superseded, p_expired, p_tags, p_model, p_query, p_limit);
  else
    return query select * from unnest(v_chunks, v_items, v_scores);
  end if;
end`,
);
