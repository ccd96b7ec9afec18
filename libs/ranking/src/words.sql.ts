import { isInFolders } from '@cairn/access';
import { ITEM_TITLE_CHARS_MAX } from '@cairn/contracts';
import { ALLOWED, bestByWords, FILTER, MATCHES_FILTER, WORDS_SETTINGS } from './leg-queries.sql.js';
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

export const fulltextLeg = define(
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

export const titleLeg = define(
  'title_leg',
  `${READER}, ${FILTER}, p_query text, p_limit int`,
  ['set enable_seqscan = off'],
  `
declare
  v_folders uuid[];
  -- Case folding by locale costs three times as much as for ASCII, and only a query beyond ASCII needs it.
  v_is_ascii boolean := octet_length(p_query) = char_length(p_query);
  v_pattern text := '%' || regexp_replace(p_query, '([\\\\%_])', '\\\\\\1', 'g') || '%';
begin
  -- No title is this long.
  if char_length(p_query) > ${ITEM_TITLE_CHARS_MAX} then
    return;
  end if;
  select folder_ids into v_folders from retrieval.allowed_folders(p_workspace, p_folders, p_sensitive);
  -- The larger the part of the title that the query covers, the better the match.
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
