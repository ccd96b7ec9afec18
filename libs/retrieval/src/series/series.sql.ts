import { itemIsVisible, readerSql } from '@cairn/access';
import type { Grouping, SubstrateTable } from '@cairn/graph';

/** $1 to $4 are the reader, $5 the source, $6 and $7 the range, $8 the metric. */
const SEEN = `seen as materialized (
  select b.item_id, jsonb_build_object('folderId', f.id, 'tier', f.tier) as folder
    from substrate.batches b
    join library.items i on i.id = b.item_id
    join library.folders f on f.id = i.folder_id
    where b.workspace_id = $1 and b.source = $5
      and (${itemIsVisible('i', 'f', readerSql(1))}) is true
)`;

const TOTALS = (value: { sum: string; count: string; min: string; max: string }): string =>
  `sum(${value.sum})::text as sum, sum(${value.count})::int as count, min(${value.min})::float8 as min,
    max(${value.max})::float8 as max, jsonb_agg(distinct seen.folder) as folders`;

const keyOf = (grouping: Grouping, day: string, category: string): string => {
  if (grouping === null) return 'null::text';
  return grouping === 'category' ? category : day;
};

/**
 * Of the rows with the same id that the reader sees, the newest counts, even outside the range. Each is looked up by
 * the index: with a join, the database would compare all rows with all others as long as it has no statistics of a
 * newly filled table.
 */
const isNewest = ({ name, key }: SubstrateTable): string => `(o.position, o.chunk_id) = (
      select n.position, n.chunk_id from substrate.${name} n
        where n.account_id = o.account_id and n.${key.name} = o.${key.name}
          and n.item_id in (select item_id from seen)
        order by n.position desc, n.chunk_id desc limit 1)`;

/**
 * The totals of a metric by day, by category or overall, from stored rows and from rows of which only roll-ups are
 * left. All names are those of a declared table. A rolled-up day belongs to the range that contains its beginning.
 */
export const seriesSql = (table: SubstrateTable, metric: string, grouping: Grouping): string => {
  const { name, at, category } = table;
  const day = `to_char(o.${at.name} at time zone 'UTC', 'YYYY-MM-DD')`;
  const value = `o.${metric}`;
  return `with ${SEEN}
select 'live' as origin, ${keyOf(grouping, day, `o.${category.name}`)} as key,
    ${TOTALS({ sum: value, count: '1', min: value, max: value })}
  from substrate.${name} o join seen on seen.item_id = o.item_id
  where o.workspace_id = $1 and o.${at.name} >= $6::timestamptz and o.${at.name} < $7::timestamptz
    and ${value} is not null and ${isNewest(table)}
  group by 2
union all
select 'rollup' as origin, ${keyOf(grouping, `to_char(r.day, 'YYYY-MM-DD')`, 'r.category')} as key,
    ${TOTALS({ sum: 'r.sum', count: 'r.count', min: 'r.min', max: 'r.max' })}
  from substrate.rollups r join seen on seen.item_id = r.item_id
  where r.workspace_id = $1 and r.source = $5 and r.metric = $8
    and r.day::timestamp at time zone 'UTC' >= $6::timestamptz and r.day::timestamp at time zone 'UTC' < $7::timestamptz
  group by 2`;
};
