import { isInFolders } from '@cairn/access';
import { FILTER, MATCHES_FILTER, VECTOR_OF_CHUNK } from './leg-queries.sql.js';
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

/** `p_folders` are the folders that the reader may see. */
export const VECTOR_PARAMETERS = `p_workspace uuid, p_folders uuid[], p_superseded boolean, p_expired boolean, p_tags text[],
  p_model text, p_query vector, p_limit int`;

/**
 * The chunks that search has found in memory, as of position `p_position` of the library and message `p_seq` of the
 * vectors. All chunks that it has not proposed score below `p_reach`, if that is not null. It has not looked into
 * `p_unseen`.
 */
export const PROPOSAL = 'p_proposed uuid[], p_reach float8, p_seq bigint, p_position bigint, p_unseen uuid[]';
export const PROPOSAL_ARGUMENTS = 'p_proposed, p_reach, p_seq, p_position, p_unseen';

/** The best chunks as lists. `behind`: how many chunks memory does not know yet. */
export const LISTS = 'out chunk_ids uuid[], out item_ids uuid[], out scores float8[], out behind int';

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
    join ${VECTOR_OF_CHUNK}
    where ${isInFolders('c', READER_SQL)}
      and ${MATCHES_FILTER}
    order by e.embedding <=> p_query, c.id
    limit p_limit;
end`,
);

/**
 * Ranks the proposed chunks, and those that memory does not know yet, by the stored vectors. A row in memory is only a
 * hint: text, folder and visibility are taken from the tables.
 */
export const vectorProposed = define(
  'vector_proposed',
  `${VECTOR_PARAMETERS}, p_proposed uuid[], p_seq bigint, p_position bigint,
  ${LISTS}`,
  [NESTED_LOOPS, 'set enable_sort = on', 'set enable_bitmapscan = off'],
  `
declare
  v_new uuid[];
begin
  select array_agg(late.id) into v_new from (
    select e.chunk_id as id from vectors.embeddings e
      where e.workspace_id = p_workspace and e.model = p_model and e.seq > p_seq
    union
    select c.id from library.chunks c where c.workspace_id = p_workspace and c.position > p_position
  ) late;
  behind := coalesce(cardinality(v_new), 0);
  select array_agg(hit.id), array_agg(hit.item_id), array_agg(hit.score) into chunk_ids, item_ids, scores from (
    select c.id, c.item_id, 1 - (e.embedding <=> p_query) as score
      from (select distinct unnest(p_proposed || v_new)) as wanted (id)
      join library.chunks c on c.id = wanted.id
      join ${VECTOR_OF_CHUNK}
      -- "is true" hides these from the index on workspace and folder: a chunk is reached by its id only.
      where (${isInFolders('c', READER_SQL)}) is true
        and ${MATCHES_FILTER}
      order by e.embedding <=> p_query, c.id
      limit p_limit
  ) hit;
end`,
  'record',
);

/**
 * The nearest chunks in the folders that the reader may see, which hold `p_scope` chunks: from memory where that gives
 * the exact answer, else by the index or by comparing every vector. `was_short` if the proposal was not enough.
 */
export const nearestChunks = define(
  'nearest_chunks',
  `${VECTOR_PARAMETERS}, p_scope bigint, p_ef_search int,
  ${PROPOSAL},
  ${LISTS}, out was_short boolean`,
  [],
  `
declare
  v_total bigint;
begin
  if p_proposed is not null then
    select known.* into chunk_ids, item_ids, scores, behind from retrieval.vector_proposed(
      p_workspace, p_folders, p_superseded, p_expired, p_tags, p_model, p_query, p_limit,
      p_proposed, p_seq, p_position) known;
    was_short := p_folders && p_unseen or p_reach is not null and coalesce(scores[p_limit] < p_reach, true);
    if not was_short then
      return;
    end if;
  end if;
  select sum(f.chunk_count) into v_total from library.folders f where f.workspace_id = p_workspace;
  chunk_ids := null;
  -- How many chunks have a tag is not known, and few would mean a long walk: the scan filters by tags first.
  if cardinality(p_tags) = 0 and not retrieval.prefers_exact(p_scope, v_total, p_limit) then
    -- The walk leaves the order of equal vectors open.
    select array_agg(chunk_id order by score desc, chunk_id), array_agg(item_id order by score desc, chunk_id),
        array_agg(score order by score desc, chunk_id)
      into chunk_ids, item_ids, scores
      from retrieval.vector_index(
        p_workspace, p_folders, p_superseded, p_expired, p_tags, p_model, p_query, p_limit, p_ef_search);
  end if;
  -- A walk that was stopped, or a node that no path reaches, must not cost a hit.
  if coalesce(cardinality(chunk_ids), 0) < least(p_limit, p_scope) then
    select array_agg(chunk_id), array_agg(item_id), array_agg(score) into chunk_ids, item_ids, scores
      from retrieval.vector_exact(
        p_workspace, p_folders, p_superseded, p_expired, p_tags, p_model, p_query, p_limit);
  end if;
end`,
  'record',
);

/** The nearest chunks as lists, which cost the client half as much as rows. */
export const nearestLeg = define(
  'nearest_leg',
  `${READER}, ${FILTER},
  p_model text, p_query vector, p_ef_search int, p_limit int,
  ${PROPOSAL},
  out chunk_ids text, out item_ids text, out scores text, out behind int, out was_short boolean`,
  [],
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
  select array_to_string(near.chunk_ids, ','), array_to_string(near.item_ids, ','), array_to_string(near.scores, ','),
      near.behind, near.was_short
    into chunk_ids, item_ids, scores, behind, was_short
    from retrieval.nearest_chunks(
      p_workspace, v_folders, p_superseded, p_expired, p_tags, p_model, p_query, p_limit, v_scope, p_ef_search,
      ${PROPOSAL_ARGUMENTS}) near;
end`,
  'record',
);
