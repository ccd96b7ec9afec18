/**
 * The ranking statements, as functions in the database. Three reasons, all measured on PGlite with 5,000 chunks:
 * planner and HNSW settings belong to one statement only (a function's SET ends with the call, where all clients share
 * one session); the plan is kept between calls; and finding the allowed folders costs no round trip of its own.
 *
 * Every plan is forced, because none of these tables has statistics on PGlite and the planner's guesses there were up
 * to 1,000 times slower: BM25 by sequential scan took 1.5 s instead of 1.1 ms.
 */
import { folderIsVisible, isCurrent, isInFolders, itemIsVisible, visibleHead } from '@cairn/access';
import { ITEM_TITLE_CHARS_MAX } from '@cairn/contracts';
import { NEIGHBOURS } from './entries.js';
import { FIRST_BODY_COLUMNS, joinFirstBody, UNTITLED_KIND_LIST } from './first-body.js';
import { hybridLegs } from './hybrid-legs.sql.js';
import { ALLOWED, bestByWords, nearestByWalk, WALK_SETTINGS, WORDS_SETTINGS } from './leg-queries.sql.js';
import { allOfWords, queryWords } from './query-words.sql.js';
import { recalledChunks } from './recalled.sql.js';
import { define, NESTED_LOOPS, READER, READER_SQL } from './sql-function.js';

/**
 * Up to here every vector of the scope is looked at: some milliseconds (about 6 µs a row on PGlite), and nothing is lost.
 * The graph loses single texts beside a crowd of near-duplicates, whatever its width: of 826 such vectors 1 to 5 could not
 * be reached, with m from 12 to 48.
 */
export const EXACT_CHUNKS_MAX = 2_000;

const FILTER = 'p_superseded boolean, p_expired boolean, p_tags text[]';

const MATCHES_FILTER = `${isCurrent('c', { superseded: 'p_superseded', expired: 'p_expired' })}
      and c.tags @> p_tags`;

const allowedFolders = define(
  'allowed_folders',
  `${READER},
  out folder_ids uuid[], out chunk_count bigint`,
  [],
  `
begin
  select coalesce(array_agg(f.id), '{}'), coalesce(sum(f.chunk_count), 0)
    into folder_ids, chunk_count
    from library.folders f
    where ${folderIsVisible('f', READER_SQL)};
end`,
  'record',
);

const prefersExact = `create or replace function retrieval.prefers_exact(
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

const vectorExact = define(
  'vector_exact',
  VECTOR_PARAMETERS,
  // It sorts what it reads, also when a caller has turned that off for itself.
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

const vectorIndex = define(
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

const vectorLeg = define(
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
  -- How many chunks bear a tag is not known, and few would mean a long walk: the scan looks at the tags first.
  if cardinality(p_tags) = 0 and not retrieval.prefers_exact(v_scope, v_total, p_limit) then
    select array_agg(chunk_id), array_agg(item_id), array_agg(score) into v_chunks, v_items, v_scores
      from retrieval.vector_index(
        p_workspace, v_folders, p_superseded, p_expired, p_tags, p_model, p_query, p_limit, p_ef_search);
  end if;
  -- A walk that was stopped, or a node no path leads to, must not cost a hit (X-26).
  if coalesce(cardinality(v_chunks), 0) < least(p_limit, v_scope) then
    return query select * from retrieval.vector_exact(
      p_workspace, v_folders, p_superseded, p_expired, p_tags, p_model, p_query, p_limit);
  else
    return query select * from unnest(v_chunks, v_items, v_scores);
  end if;
end`,
);

const bm25Leg = define(
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

const fulltextLeg = define(
  'fulltext_leg',
  `${READER}, ${FILTER}, p_query text, p_limit int`,
  ['set enable_seqscan = off'],
  `
declare
  v_folders uuid[];
  v_query tsquery := retrieval.all_of_words(retrieval.query_words(p_query));
begin
  if v_query is null then
    return;
  end if;
  select folder_ids into v_folders from retrieval.allowed_folders(p_workspace, p_folders, p_sensitive);
  -- One row per item, its best chunk: a long item must not crowd the others out of the limit.
  return query
  select (array_agg(found.id order by found.rank desc, found.id))[1], found.item_id, max(found.rank) as best
    from (
      select c.id, c.item_id, ts_rank_cd(c.words, v_query)::float8 as rank
        from library.chunks c
        where c.words @@ v_query
          and (${isInFolders('c', ALLOWED)}) is true
          and ${MATCHES_FILTER}
    ) found
    group by found.item_id
    order by best desc, found.item_id
    limit p_limit;
end`,
);

const titleLeg = define(
  'title_leg',
  `${READER}, ${FILTER}, p_query text, p_limit int`,
  ['set enable_seqscan = off'],
  `
declare
  v_folders uuid[];
  -- Folding by locale costs three times as much as folding ASCII, and only a query beyond ASCII needs it.
  v_is_ascii boolean := octet_length(p_query) = char_length(p_query);
  v_pattern text := '%' || regexp_replace(p_query, '([\\\\%_])', '\\\\\\1', 'g') || '%';
begin
  -- No title is so long.
  if char_length(p_query) > ${ITEM_TITLE_CHARS_MAX} then
    return;
  end if;
  select folder_ids into v_folders from retrieval.allowed_folders(p_workspace, p_folders, p_sensitive);
  -- The more of a title the query is, the better it fits.
  return query
  select c.id, c.item_id, char_length(p_query)::float8 / greatest(char_length(c.title), 1) as rank
    from library.chunks c
    where ${isInFolders('c', ALLOWED)}
      and (v_is_ascii and c.title collate "C" ilike v_pattern or not v_is_ascii and c.title ilike v_pattern)
      and ${MATCHES_FILTER}
    order by rank desc, c.id
    limit p_limit;
end`,
);

/**
 * The winning chunks with all that a hit shows, the scope checked once more on the item itself, and that they are
 * current. The first chunk of an item has the title beside it; only for the others the item's own, sealed form of it has
 * to be opened, and the first chunk where that is what a title is taken from.
 */
const winningChunks = define(
  'winning_chunks',
  `p_chunks uuid[], ${READER}`,
  [NESTED_LOOPS],
  `
begin
  return query
  select c.id, i.id, i.folder_id, i.workspace_id, f.tier, b.text, b.wrapped_key, c.title,
         case when c.title is null then i.meta end, case when c.title is null then i.wrapped_key end,
         ${FIRST_BODY_COLUMNS}
    from unnest(p_chunks) as wanted (id)
    join library.chunks c on c.id = wanted.id
    join library.bodies b on b.chunk_id = c.id
    join library.items i on i.id = c.item_id
    join library.folders f on f.id = i.folder_id
    ${joinFirstBody('i', 'b.ordinal')}
    where ${itemIsVisible('i', 'f', READER_SQL)}
      and ${isCurrent('c')};
end`,
  `table (
  chunk_id uuid, item_id uuid, folder_id uuid, workspace_id uuid, tier text, text bytea, chunk_key bytea, title text,
  meta bytea, item_key bytea, first_id uuid, first_text bytea, first_key bytea
)`,
);

/**
 * The items that won a search, each with its text around the first match of the words: the chunk of that match and two
 * on either side, since one of them may be short. Every chunk is indexed together with the title, so that a match counts
 * for a chunk when one of the words stands behind the title's own positions. Nothing matched: the beginning of what is left. The first
 * chunk comes too where the item may have no title.
 */
const itemEntries = define(
  'item_entries',
  `p_items uuid[], p_has_words boolean[], p_query text, ${READER}`,
  [NESTED_LOOPS],
  `
declare
  v_words text[] := retrieval.query_words(p_query);
  v_query tsquery := retrieval.all_of_words(v_words);
begin
  return query
  select i.id, i.folder_id, i.workspace_id, f.tier, i.meta, i.wrapped_key, i.confidence, i.created_by_agent_id, ${visibleHead(READER_SQL)},
         i.expires_at, b.chunk_id, b.text, b.wrapped_key, b.ordinal - first.ordinal
    from unnest(p_items, p_has_words) as wanted (id, has_words)
    join library.items i on i.id = wanted.id
    join library.folders f on f.id = i.folder_id
    cross join lateral (
      select case when i.chunk_count = 1 then 0 else coalesce(case when wanted.has_words then (
        select min(m.ordinal)
          from library.chunks c
          join library.bodies m on m.chunk_id = c.id
          where c.item_id = i.id
            and c.words @@ v_query
            and exists (
              select from unnest(c.words) as w (lexeme, positions, weights)
                where w.lexeme = any (v_words)
                  and w.positions[cardinality(w.positions)] > coalesce((
                    select max(t.positions[cardinality(t.positions)])
                      from library.chunks h, unnest(to_tsvector('simple', h.title)) as t (lexeme, positions, weights)
                      where h.item_id = i.id and h.title is not null), 0))
      ) end, (select min(o.ordinal) from library.bodies o where o.item_id = i.id)) end as ordinal
    ) first
    cross join lateral (
      select near.* from library.bodies near
        where near.item_id = i.id and near.ordinal between first.ordinal - ${NEIGHBOURS} and first.ordinal + ${NEIGHBOURS}
      union all
      (select head.* from library.bodies head
        where i.kind in (${UNTITLED_KIND_LIST}) and head.item_id = i.id and head.ordinal < first.ordinal - ${NEIGHBOURS}
        order by head.ordinal
        limit 1)
    ) b
    where ${itemIsVisible('i', 'f', READER_SQL)}
    order by b.ordinal;
end`,
  `table (
  item_id uuid, folder_id uuid, workspace_id uuid, tier text, meta bytea, item_key bytea, confidence int,
  created_by_agent_id text,
  superseded_by_id uuid, expires_at timestamptz, chunk_id uuid, text bytea, chunk_key bytea, step int
)`,
);

/** File name in `__sql__` to statement, in the order in which they are installed. */
export const LEGS_SQL: Readonly<Record<string, string>> = {
  'allowed-folders': allowedFolders,
  'prefers-exact': prefersExact,
  'query-words': queryWords,
  'all-of-words': allOfWords,
  'vector-exact': vectorExact,
  'vector-index': vectorIndex,
  'vector-leg': vectorLeg,
  'bm25-leg': bm25Leg,
  'hybrid-legs': hybridLegs,
  'fulltext-leg': fulltextLeg,
  'title-leg': titleLeg,
  'winning-chunks': winningChunks,
  'recalled-chunks': recalledChunks,
  'item-entries': itemEntries,
};
