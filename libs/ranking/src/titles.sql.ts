import { isInFolders } from '@cairn/access';
import { ITEM_TITLE_CHARS_MAX } from '@cairn/contracts';
import { IS_VISIBLE, isVisibleWith, READ_SCOPE, SCAN_CHUNKS_MAX } from './by-keys.sql.js';
import { FILTER, MATCHES_FILTER } from './leg-queries.sql.js';
import { define, READER, READER_SQL } from './sql-function.js';

/** A query too short for keys is taken to match one title in so many. */
const SHORT_SHARE = 10;

/** A walk that has not found enough by then is given up. */
const WALK_BORDERS = 4;

const HAS_LETTERS = 'c.title is not null and library.title_keys(c.workspace_id, c.title) @> v_keys';

/** Case folding by locale costs three times as much as for ASCII, and only a query beyond ASCII needs it. */
const IS_ASCII = 'octet_length(p_query) = char_length(p_query)';
const matches = (pattern: string): string =>
  `(v_is_ascii and c.title collate "C" ilike ${pattern} or not v_is_ascii and c.title ilike ${pattern})`;

/** Word for word as in the index. */
const LENGTH = 'greatest(char_length(c.title), 1)';

/** The larger the part of the title that the query covers, the better the match. */
const RANK = `char_length(p_query)::float8 / ${LENGTH}`;

const titlesWith = (which: string): string => `select c.id, c.item_id, ${RANK} as rank
      from library.chunks c
      where ${which}
        and ${matches('v_pattern')}
      order by rank desc, c.id
      limit p_limit`;

/** An index has the titles of a workspace in the order of their ranks: the matches among the first `p_rows` of them. */
export const titleWalk = define(
  'title_walk',
  `p_workspace uuid, p_folders uuid[], ${FILTER}, p_query text, p_pattern text, p_rows bigint, p_limit int`,
  ['set enable_seqscan = off', 'set enable_sort = off', 'set enable_bitmapscan = off'],
  `
declare
  v_is_ascii boolean := ${IS_ASCII};
begin
  return query
  select c.id, c.item_id, ${RANK}
    from (
      select c.*, ${LENGTH} as length
        from library.chunks c
        where c.title is not null
          and c.workspace_id = p_workspace
          -- No title that is shorter than the query contains it. Beyond ASCII, lower case may have more letters.
          and ${LENGTH} >= case when v_is_ascii then char_length(p_query) else 0 end
        order by length, c.id
        limit p_rows) c
    where (${isInFolders('c', READER_SQL)}) is true
      and ${MATCHES_FILTER}
      and ${matches('p_pattern')}
    order by c.length, c.id
    limit p_limit;
end`,
);

/**
 * Titles are found by their letters, or, if many match, in the order of their ranks until enough are found. With `n`
 * titles of which `m` match, the one reads `m` rows and the other some `n * limit / m`, so both read few if the border
 * is at the root of `n * limit`. For a query without keys, one in ten titles is taken to match.
 */
export const titleLeg = define(
  'title_leg',
  `${READER}, ${FILTER}, p_query text, p_limit int`,
  ['set enable_seqscan = off'],
  `
declare
  v_folders uuid[];
  v_scope bigint;
  v_border bigint;
  v_is_ascii boolean := ${IS_ASCII};
  v_pattern text := '%' || regexp_replace(p_query, '([\\\\%_])', '\\\\\\1', 'g') || '%';
  v_keys bigint[];
  v_chunks uuid[];
  v_items uuid[];
  v_ranks float8[];
begin
  -- No title is this long.
  if char_length(p_query) > ${ITEM_TITLE_CHARS_MAX} then
    return;
  end if;
  ${READ_SCOPE}
  if v_scope <= ${SCAN_CHUNKS_MAX} then
    return query
    ${titlesWith(IS_VISIBLE)};
    return;
  end if;
  select ceil(sqrt(p_limit * sum(f.chunk_count))) into v_border from library.folders f where f.workspace_id = p_workspace;
  v_keys := library.title_query_keys(p_workspace, p_query);
  if v_keys is not null then
    select array_agg(found.id), array_agg(found.item_id), array_agg(found.rank) into v_chunks, v_items, v_ranks from (
      select c.id, c.item_id, ${RANK} as rank
        from library.chunks c
        where ${isVisibleWith(HAS_LETTERS)}
          and ${matches('v_pattern')}
        limit v_border + 1) found;
    if coalesce(cardinality(v_chunks), 0) <= v_border then
      return query
      select * from unnest(v_chunks, v_items, v_ranks) as found (id, item_id, rank)
        order by found.rank desc, found.id
        limit p_limit;
      return;
    end if;
  end if;
  if v_keys is not null or v_scope > ${SHORT_SHARE} * v_border * v_border / v_scope then
    select array_agg(found.chunk_id), array_agg(found.item_id), array_agg(found.score) into v_chunks, v_items, v_ranks
      from retrieval.title_walk(
        p_workspace, v_folders, p_superseded, p_expired, p_tags, p_query, v_pattern, ${WALK_BORDERS} * v_border, p_limit) found;
    if cardinality(v_chunks) = p_limit then
      return query
      select * from unnest(v_chunks, v_items, v_ranks);
      return;
    end if;
  end if;
  if v_keys is not null then
    return query
    ${titlesWith(isVisibleWith(HAS_LETTERS))};
  else
    return query
    ${titlesWith(IS_VISIBLE)};
  end if;
end`,
);
