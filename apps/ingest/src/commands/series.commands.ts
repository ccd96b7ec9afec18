import { notFound } from '@cairn/access';
import {
  asAppError,
  fail,
  OBSERVED_BEFORE,
  PURGED_BATCHES_PER_COMMAND_MAX,
  type CommandData,
  type CommandResult,
  type Observation,
  type Principal,
} from '@cairn/contracts';
import { decideImportObservations, decidePurgeObservations, type PurgedBatch } from '@cairn/domain';
import { foldDays, lineOf, monthOf, observationLine, substrateOf, type SubstrateTable } from '@cairn/graph';
import type { ParsedRequest } from '@cairn/messaging';
import type { InstanceSecrets } from '@cairn/vault';
import { keepBatches, sealLines, type BatchOf, type SealedRows } from '../series/seal-batches.js';
import {
  batchesBefore,
  batchIdsOf,
  chunksOfBatches,
  connectorOf,
  countingRowsOf,
  madeByCommand,
  newestRowsOf,
  purgedAmong,
} from '../series/series-reader.js';
import { anyFolderOf, at, type Command, type PrepareContext } from './command.js';
import { recordForgettings } from './record-forgettings.js';

type Import = ParsedRequest<CommandData<'observations.import'>>;
type Purge = ParsedRequest<CommandData<'observations.purge'>>;

/** 128 bits: a purge of many rows keeps one hash for each. */
const ID_HASH_CHARS = 32;

/** Recognises a purged id that is imported again, and confirms no guess without the installation's key. */
const idHash = (secrets: InstanceSecrets, { workspaceId }: Principal, accountId: string, id: string): string =>
  secrets.payloadHash(workspaceId, JSON.stringify(['observation', accountId, id])).slice(0, ID_HASH_CHARS);

interface Source {
  readonly source: string;
  readonly table: SubstrateTable;
}

/** The table that the account's connector declares. */
const sourceOf = async ({ pool }: PrepareContext, { workspaceId }: Principal, accountId: string): Promise<Source> => {
  const source = await connectorOf(pool, workspaceId, accountId);
  if (source === undefined) throw notFound('account');
  const table = substrateOf(source);
  if (table) return { source, table };
  throw fail('series.import_unsupported', 'the connector of this account reads no files of rows');
};

const checkMetrics = ({ rows }: Import['data'], { metrics }: SubstrateTable): void => {
  const index = rows.findIndex((row) => Object.keys(row.metrics).some((name) => !Object.hasOwn(metrics, name)));
  if (index === -1) return;
  const message = `rows[${index}].metrics must be of ${Object.keys(metrics).join(', ')}`;
  throw fail('input.invalid', message, { field: `rows[${index}].metrics` });
};

/** Rows that are new: neither stored unchanged nor purged before. If two rows share an id, the last one counts. */
const freshRows = async ({ principal, data }: Import, { pool, secrets }: PrepareContext): Promise<Observation[]> => {
  const { accountId } = data;
  const rows = [...new Map(data.rows.map((row) => [row.id, row])).values()];
  const hashOf = ({ id }: Observation): string => idHash(secrets, principal, accountId, id);
  const known = await newestRowsOf(
    pool,
    accountId,
    rows.map(({ id }) => id),
  );
  const lines = new Map(known.map((row) => [row.id, observationLine(row)]));
  const purged = await purgedAmong(pool, accountId, rows.map(hashOf));
  return rows.filter((row) => lines.get(row.id) !== observationLine(row) && !purged.has(hashOf(row)));
};

const byMonth = (rows: readonly Observation[]): [month: string, rows: Observation[]][] => {
  const months = new Map<string, Observation[]>();
  for (const row of rows) {
    const month = monthOf(row.at);
    const ofMonth = months.get(month);
    if (ofMonth) ofMonth.push(row);
    else months.set(month, [row]);
  }
  return [...months].sort(([a], [b]) => (a < b ? -1 : 1));
};

/** One item per month; a full one continues in another. */
const sealObservations = (
  of: Omit<BatchOf, 'month' | 'kind'>,
  rows: readonly Observation[],
  context: PrepareContext,
): SealedRows[] =>
  byMonth(rows).flatMap(([month, ofMonth]) =>
    sealLines({ ...of, month, kind: 'observations' }, ofMonth.map(observationLine), context),
  );

const prepareImport: Command<'observations.import'>['prepare'] = async (request, context) => {
  const { principal, data } = request;
  const { accountId } = data;
  const { workspaceId } = principal;
  const of = { workspaceId, ...(await sourceOf(context, principal, accountId)) };
  checkMetrics(data, of.table);
  // Read before the rows, so the decider notices a batch that arrives in between.
  const seen = await batchIdsOf(context.pool, accountId);
  const fresh = await freshRows(request, context);
  const sealed = sealObservations(of, fresh, context);
  const change = { accountId, seen, batches: sealed.map(({ batch }) => batch) };
  return {
    needs: { accounts: true, seriesOf: [accountId], folders: anyFolderOf(principal) },
    decide: (state, atMs) => decideImportObservations(state, { ...at(request, atMs), data: change }),
    beforeAppend: () => keepBatches(workspaceId, sealed, context),
    answer: async ({ entityId, position, isNew }) => {
      const { observations, observationItems } =
        isNew || entityId === accountId
          ? { observations: fresh.length, observationItems: sealed.length }
          : await madeByCommand(context.pool, workspaceId, entityId, position);
      return { rows: observations, duplicates: data.rows.length - observations, items: observationItems, position };
    },
  };
};

const ATTEMPTS = 4;

/** Of two concurrent changes of one series, the later one is prepared again on the result of the first. */
const untilSettled = async <R>(append: () => Promise<R>): Promise<R> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await append();
    } catch (thrown) {
      if (asAppError(thrown).kind !== 'conflict' || attempt === ATTEMPTS) throw thrown;
    }
  }
};

export const importObservations: Command<'observations.import'> = {
  prepare: prepareImport,
  around: (_, append) => untilSettled(append),
};

/** The number of hashes that fit into a line of a chunk. */
const HASHES_PER_LINE = 16;

const hashLines = (hashes: readonly string[]): string[] => {
  const lines: string[] = [];
  for (let start = 0; start < hashes.length; start += HASHES_PER_LINE)
    lines.push(lineOf({ purged: hashes.slice(start, start + HASHES_PER_LINE) }));
  return lines;
};

/** The remainder of purged rows: their daily totals if wanted, and the hashes of their ids. One item per month. */
const sealRollups = (
  { principal, data }: Purge,
  of: Omit<BatchOf, 'month' | 'kind'>,
  rows: readonly Observation[],
  context: PrepareContext,
): SealedRows[] =>
  byMonth(rows).flatMap(([month, ofMonth]) => {
    const hashes = ofMonth.map(({ id }) => idHash(context.secrets, principal, data.accountId, id));
    const lines = [...(data.keepAggregates ? foldDays(ofMonth).map(lineOf) : []), ...hashLines(hashes)];
    return sealLines({ ...of, month, kind: 'rollup' }, lines, context);
  });

interface PurgePlan {
  readonly seen: ReadonlySet<string>;
  readonly purged: readonly PurgedBatch[];
  readonly sealed: readonly SealedRows[];
  readonly rows: number;
  readonly rollups: number;
  readonly more: boolean;
}

/** The chunks are read before the rows, so the decider notices a chunk that is forgotten in between. */
const planPurge = async (request: Purge, context: PrepareContext): Promise<PurgePlan> => {
  const { principal, data } = request;
  const { pool, ids } = context;
  const { workspaceId } = principal;
  const of = { workspaceId, ...(await sourceOf(context, principal, data.accountId)) };
  const before = data.before === undefined ? null : new Date(data.before).toISOString();
  const seen = await batchIdsOf(pool, data.accountId);
  const found = await batchesBefore(pool, data.accountId, before, PURGED_BATCHES_PER_COMMAND_MAX + 1);
  const itemIds = found.slice(0, PURGED_BATCHES_PER_COMMAND_MAX);
  const chunks = await chunksOfBatches(pool, itemIds);
  const rows = await countingRowsOf(pool, itemIds);
  const gone = rows.filter(({ at: time }) => time < (before ?? OBSERVED_BEFORE));
  const staying = rows.filter(({ at: time }) => time >= (before ?? OBSERVED_BEFORE));
  const rollups = sealRollups(request, of, gone, context);
  return {
    seen,
    purged: itemIds.map((itemId) => ({ itemId, chunkIds: chunks.get(itemId) ?? [], receiptId: ids.next() })),
    sealed: [...rollups, ...sealObservations(of, staying, context)],
    rows: gone.length,
    rollups: data.keepAggregates ? rollups.length : 0,
    more: found.length > itemIds.length,
  };
};

const preparePurge: Command<'observations.purge'>['prepare'] = async (request, context) => {
  const { principal, data } = request;
  const { accountId } = data;
  const { workspaceId } = principal;
  const { seen, purged, sealed, rows, rollups, more } = await planPurge(request, context);
  const change = { accountId, seen, purged, batches: sealed.map(({ batch }) => batch) };
  const receiptIds = purged.map(({ receiptId }) => receiptId);
  return {
    needs: {
      accounts: true,
      seriesOf: [accountId],
      folders: anyFolderOf(principal),
      forgetting: { itemIds: purged.map(({ itemId }) => itemId), chunkIds: [] },
    },
    decide: (state, atMs) => decidePurgeObservations(state, { ...at(request, atMs), data: change }),
    beforeAppend: () => keepBatches(workspaceId, sealed, context),
    answer: async ({ entityId, position, isNew }): Promise<CommandResult<'observations.purge'>> => {
      if (isNew) return { rows, rollups, receiptIds, more, position };
      if (entityId === accountId) return { rows: 0, rollups: 0, receiptIds: [], more: false, position };
      const made = await madeByCommand(context.pool, workspaceId, entityId, position);
      return { rows: made.purgedRows, rollups: made.rollupItems, receiptIds: [], more, position };
    },
  };
};

export const purgeObservations: Command<'observations.purge'> = {
  waitsForKeywordIndex: true,
  prepare: preparePurge,
  around: async (_, append, services) => {
    const result = await untilSettled(append);
    await recordForgettings(result.receiptIds, services);
    return result;
  },
};
