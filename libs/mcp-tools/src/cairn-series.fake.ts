import { notFound, readerOf, type Reader } from '@cairn/access';
import {
  fail,
  OBSERVED_BEFORE,
  type CommandData,
  type Observation,
  type Principal,
  type QueryData,
  type SeriesAnswer,
} from '@cairn/contracts';
import { countTokens, type ObservationsImport, type ObservationsPurge, type SealedBatch } from '@cairn/domain';
import {
  dayOf,
  foldDays,
  groupingOf,
  keptTotals,
  lineOf,
  monthOf,
  newestRows,
  observationLine,
  observationsIn,
  packItems,
  packLines,
  purgedIn,
  rangeOf,
  requiredMetric,
  requiredSubstrate,
  rollupsIn,
  seriesRows,
  substrateOf,
  totalsOf,
  type Grouping,
  type Part,
  type PlacedObservation,
} from '@cairn/graph';
import { uuidV7 } from '@cairn/kernel';
import type { InMemoryWorkspace } from './cairn-workspace.fake.js';

interface Batch {
  readonly itemId: string;
  readonly accountId: string;
  readonly folderId: string;
  readonly kind: string;
  /** The order of storage. */
  readonly position: number;
  readonly texts: readonly string[];
  readonly chunkIds: readonly string[];
}

/** Items of rows: all of them, or those that a reader sees. */
const batchesOf = (workspace: InMemoryWorkspace, reader?: Reader): Batch[] => {
  const seen = reader && new Set(workspace.visibleItems(reader).map(({ id }) => id));
  return [...workspace.items].flatMap(([itemId, { kind, accountId }], position) => {
    const item = workspace.state.items.get(itemId);
    if (!item || accountId === null || (seen && !seen.has(itemId))) return [];
    if (kind !== 'observations' && kind !== 'rollup') return [];
    const chunks = item.chunks ?? [];
    const texts = chunks.map(({ text }) => text);
    const chunkIds = chunks.map(({ chunkId }) => chunkId);
    return [{ itemId, accountId, folderId: item.folderId, kind, position: position + 1, texts, chunkIds }];
  });
};

type PlacedRow = PlacedObservation & Pick<Batch, 'itemId' | 'folderId' | 'accountId'>;

const rowsOf = (batches: readonly Batch[]): PlacedRow[] =>
  batches
    .filter(({ kind }) => kind === 'observations')
    .flatMap(({ texts, position, itemId, folderId, accountId }) =>
      texts.flatMap(observationsIn).map((row) => ({ ...row, position, itemId, folderId, accountId })),
    );

const sourceOf = ({ state }: InMemoryWorkspace, accountId: string): string => {
  const account = state.accounts.get(accountId);
  if (account?.isConnected !== true) throw notFound('account');
  if (!substrateOf(account.connectorId))
    throw fail('series.import_unsupported', 'the connector of this account reads no files of rows');
  return account.connectorId;
};

const sealed = (source: string, month: string, kind: SealedBatch['kind'], lines: readonly string[]): SealedBatch[] =>
  packItems(packLines(lines)).map((texts) => ({
    itemId: uuidV7(),
    kind,
    meta: JSON.stringify({ title: `${source} ${month}`, tags: [], sourceName: source }),
    chunks: texts.map((text, ordinal) => ({
      chunkId: uuidV7(),
      ordinal,
      text,
      textHash: text,
      tokens: countTokens(text),
    })),
  }));

const sealedByMonth = (
  source: string,
  kind: SealedBatch['kind'],
  rows: readonly Observation[],
  linesOf: (rows: readonly Observation[]) => readonly string[],
): SealedBatch[] =>
  [...new Set(rows.map(({ at }) => monthOf(at)))]
    .sort()
    .flatMap((month) => sealed(source, month, kind, linesOf(rows.filter(({ at }) => monthOf(at) === month))));

/** Nothing is secret here. */
const hashOf = (id: string): string => Array.from(id, (char) => char.codePointAt(0)!.toString(16)).join('00');

const idsOf = (batches: readonly Batch[]): ReadonlySet<string> => new Set(batches.map(({ itemId }) => itemId));

export const planImport = (
  workspace: InMemoryWorkspace,
  { accountId, rows }: CommandData<'observations.import'>,
): ObservationsImport & { readonly rows: number } => {
  const source = sourceOf(workspace, accountId);
  const own = batchesOf(workspace).filter((batch) => batch.accountId === accountId);
  const known = new Map(newestRows(rowsOf(own)).map((row) => [row.id, observationLine(row)]));
  const purged = new Set(own.flatMap(({ texts }) => texts.flatMap(purgedIn)));
  const fresh = [...new Map(rows.map((row) => [row.id, row])).values()].filter(
    (row) => known.get(row.id) !== observationLine(row) && !purged.has(hashOf(row.id)),
  );
  const batches = sealedByMonth(source, 'observations', fresh, (ofMonth) => ofMonth.map(observationLine));
  return { accountId, seen: idsOf(own), batches, rows: fresh.length };
};

export const planPurge = (
  workspace: InMemoryWorkspace,
  { accountId, before, keepAggregates }: CommandData<'observations.purge'>,
): ObservationsPurge & { readonly rows: number; readonly rollups: number } => {
  const source = sourceOf(workspace, accountId);
  const limit = before === undefined ? OBSERVED_BEFORE : new Date(before).toISOString();
  const own = batchesOf(workspace).filter((batch) => batch.accountId === accountId);
  const newest = newestRows(rowsOf(own));
  const gone = newest.filter(({ at }) => at < limit);
  const goneIds = new Set(gone.map(({ id }) => id));
  // With the earlier versions of the rows: left behind, they would count again.
  const old = own.filter((batch) => rowsOf([batch]).some(({ id, at }) => at < limit || goneIds.has(id)));
  const rollups = sealedByMonth(source, 'rollup', gone, (rows) => [
    ...(keepAggregates ? foldDays(rows).map(lineOf) : []),
    lineOf({ purged: rows.map(({ id }) => hashOf(id)) }),
  ]);
  const staying = sealedByMonth(
    source,
    'observations',
    newest.filter(({ itemId, at }) => at >= limit && idsOf(old).has(itemId)),
    (rows) => rows.map(observationLine),
  );
  return {
    accountId,
    seen: idsOf(own),
    batches: [...rollups, ...staying],
    purged: old.map(({ itemId, chunkIds }) => ({ itemId, chunkIds, receiptId: uuidV7() })),
    rows: gone.length,
    rollups: keepAggregates ? rollups.length : 0,
  };
};

const keyOf = (grouping: Grouping, day: string, category: string | null): string | null => {
  if (grouping === null) return null;
  return grouping === 'category' ? category : day;
};

/** The product's answer: over the rows that the reader sees. */
export const querySeries = (
  workspace: InMemoryWorkspace,
  principal: Principal,
  query: QueryData<'series.query'>,
): SeriesAnswer => {
  const table = requiredSubstrate(query.source);
  const metric = requiredMetric(table, query.metric);
  const grouping = groupingOf(table, query.groupBy);
  const { from, to } = rangeOf(query.range);
  const aggregation = query.aggregation ?? metric.aggregation;
  const { accounts } = workspace.state;
  const batches = batchesOf(workspace, readerOf(principal, 'mcp')).filter(
    ({ accountId }) => accounts.get(accountId)?.connectorId === query.source,
  );
  const byAccount = [...new Set(batches.map(({ accountId }) => accountId))].flatMap((id) =>
    newestRows(rowsOf(batches.filter(({ accountId }) => accountId === id))),
  );
  const live = byAccount
    .filter(({ at, metrics }) => at >= from && at < to && metrics[query.metric] !== undefined)
    .map(({ at, category, metrics }): Part => ({
      origin: 'live',
      key: keyOf(grouping, dayOf(at), category),
      totals: totalsOf(metrics[query.metric]!),
    }));
  const kept = batches
    .filter(({ kind }) => kind === 'rollup')
    .flatMap(({ texts }) => texts.flatMap(rollupsIn))
    .filter(({ day }) => `${day}T00:00:00.000Z` >= from && `${day}T00:00:00.000Z` < to)
    .flatMap((row): Part[] => {
      const totals = keptTotals(row, query.metric);
      return totals ? [{ origin: 'rollup', key: keyOf(grouping, row.day, row.category), totals }] : [];
    });
  return {
    ...seriesRows([...live, ...kept], grouping, aggregation),
    table: table.name,
    unit: aggregation === 'count' ? '1' : metric.unit,
    aggregation,
    folders: [],
    stale: false,
  };
};
