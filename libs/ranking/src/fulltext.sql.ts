import { IS_VISIBLE, isVisibleWith, READ_SCOPE, SCAN_CHUNKS_MAX } from './by-keys.sql.js';
import { FILTER } from './leg-queries.sql.js';
import { define, READER, READER_SQL } from './sql-function.js';

/** More chunks than items are ranked at first, since an item may have several. */
const CHUNKS_PER_ITEM = 4;

const hasWords = (keys: string): string => `library.word_keys(c.workspace_id, c.words) @> ${keys}`;

const ranked = (query: string, which: string): string => `
      select c.id, c.item_id, ts_rank_cd(c.words, ${query})::float8 as rank
        from library.chunks c
        where ${which}
          and c.words @@ ${query}`;

/** One row per item, its best chunk: a long item must not crowd the others out of the limit. */
const bestItems = (
  found: string,
): string => `select (array_agg(found.id order by found.rank desc, found.id))[1], found.item_id, max(found.rank) as best
    from ${found}
    group by found.item_id
    order by best desc, found.item_id
    limit p_limit`;

/**
 * The rank of a single word is 0.1 times its occurrences. So if enough items have it, say, eight times, all others rank
 * behind them and are not read: these are the keys of the highest count for which that is so. Null for a rare word.
 */
export const frequentWord = define(
  'frequent_word',
  `p_workspace uuid, p_folders uuid[], ${FILTER}, p_word text, p_limit int`,
  ['set enable_seqscan = off'],
  `
begin
  return (
    select frequent.keys
      from unnest(library.word_counts()) as counted,
           lateral (select array[library.word_key(p_workspace, p_word, counted)] as keys offset 0) frequent
      where p_limit <= (
        select count(distinct enough.item_id) from (
          select c.item_id from library.chunks c
            where ${isVisibleWith(hasWords('frequent.keys'), READER_SQL)}
            limit p_limit * ${CHUNKS_PER_ITEM}) enough)
      limit 1);
end`,
  'bigint[]',
);

/**
 * The best items among the chunks that have these keys. Grouping every match by item takes as long as ranking it, so the
 * best chunks are sorted out first: in the order of the items, their first chunks are the best of their items.
 */
export const fulltextBest = define(
  'fulltext_best',
  `p_workspace uuid, p_folders uuid[], ${FILTER}, p_query tsquery, p_keys bigint[], p_limit int`,
  ['set enable_seqscan = off'],
  `
declare
  v_chunks uuid[];
  v_items uuid[];
  v_ranks float8[];
  v_count int;
begin
  select array_agg(top.id), array_agg(top.item_id), array_agg(top.rank), count(distinct top.item_id)
    into v_chunks, v_items, v_ranks, v_count
    from (${ranked('p_query', isVisibleWith(hasWords('p_keys'), READER_SQL))}
        order by rank desc, item_id, id
        limit p_limit * ${CHUNKS_PER_ITEM}) top;
  if v_count < p_limit and cardinality(v_chunks) = p_limit * ${CHUNKS_PER_ITEM} then
    return query
    ${bestItems(`(${ranked('p_query', isVisibleWith(hasWords('p_keys'), READER_SQL))}
    ) found`)};
    return;
  end if;
  return query
  ${bestItems('unnest(v_chunks, v_items, v_ranks) as found (id, item_id, rank)')};
end`,
);

export const fulltextLeg = define(
  'fulltext_leg',
  `${READER}, ${FILTER}, p_query text, p_limit int`,
  ['set enable_seqscan = off'],
  `
declare
  v_folders uuid[];
  v_scope bigint;
  v_words text[] := retrieval.query_words(p_query);
  v_query tsquery := retrieval.all_of_words(v_words);
  v_keys bigint[];
begin
  if v_query is null then
    return;
  end if;
  ${READ_SCOPE}
  if v_scope <= ${SCAN_CHUNKS_MAX} then
    return query
    ${bestItems(`(${ranked('v_query', IS_VISIBLE)}
    ) found`)};
    return;
  end if;
  if cardinality(v_words) = 1 then
    v_keys := retrieval.frequent_word(p_workspace, v_folders, p_superseded, p_expired, p_tags, v_words[1], p_limit);
  end if;
  v_keys := coalesce(v_keys, array(select library.word_key(p_workspace, word, 1) from unnest(v_words) as word));
  return query
  select * from retrieval.fulltext_best(
    p_workspace, v_folders, p_superseded, p_expired, p_tags, v_query, v_keys, p_limit);
end`,
);
