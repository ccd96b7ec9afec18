import { readerValues, seesNothing, type Reader } from '@cairn/access';
import type { QueryData, SeriesAnswer, Tier } from '@cairn/contracts';
import { amountOf, groupingOf, rangeOf, requiredMetric, requiredSubstrate, seriesRows, type Part } from '@cairn/graph';
import { readRows } from '@cairn/persistence';
import type { Pool } from 'pg';
import { seriesSql } from './series.sql.js';

interface TotalsRow {
  readonly origin: Part['origin'];
  readonly key: string | null;
  readonly sum: string;
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly folders: readonly { readonly folderId: string; readonly tier: Tier }[];
}

const partOf = ({ origin, key, sum, count, min, max }: TotalsRow): Part => ({
  origin,
  key,
  totals: { sum: amountOf(sum)!, count, min, max },
});

const foldersOf = (rows: readonly TotalsRow[], workspaceId: string): SeriesAnswer['folders'] => {
  const tiers = new Map(rows.flatMap(({ folders }) => folders.map(({ folderId, tier }) => [folderId, tier] as const)));
  return [...tiers].map(([folderId, tier]) => ({ folderId, placement: { workspaceId, tier } }));
};

/** Aggregates the rows of a source that the reader may see. */
export const querySeries = async (
  { pool, inTurn }: { readonly pool: Pool; readonly inTurn: <T>(statement: () => Promise<T>) => Promise<T> },
  reader: Reader,
  query: QueryData<'series.query'>,
): Promise<Omit<SeriesAnswer, 'stale'>> => {
  const table = requiredSubstrate(query.source);
  const metric = requiredMetric(table, query.metric);
  const grouping = groupingOf(table, query.groupBy);
  const { from, to } = rangeOf(query.range);
  const aggregation = query.aggregation ?? metric.aggregation;
  const values = [...readerValues(reader), query.source, from, to, query.metric];
  const rows = seesNothing(reader)
    ? []
    : await inTurn(() =>
        readRows<TotalsRow & Record<string, unknown>>(pool, seriesSql(table, query.metric, grouping), values),
      );
  return {
    ...seriesRows(rows.map(partOf), grouping, aggregation),
    table: table.name,
    unit: aggregation === 'count' ? '1' : metric.unit,
    aggregation,
    folders: foldersOf(rows, reader.workspaceId),
  };
};
