import { reachOf } from '@cairn/access';
import { fail, type DomainEvent, type Principal, type StoredChunk } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import { connectedAccount } from './account.decider.js';
import { alreadyDone, decided, type Decidable, type Decision } from './decision.js';
import { visibleFolder } from './folder.decider.js';
import { forgetEvents } from './forget.decider.js';
import type { ItemState, WorkspaceState } from './state.js';

/** An item of rows after ingest has sealed it. Its chunks fit one op. */
export interface SealedBatch {
  readonly itemId: string;
  readonly kind: 'observations' | 'rollup';
  readonly meta: string;
  readonly chunks: readonly StoredChunk[];
}

interface SeriesChange {
  readonly accountId: string;
  /** The batches of the account with which the rows were compared. */
  readonly seen: ReadonlySet<string>;
  readonly batches: readonly SealedBatch[];
}

export type ObservationsImport = SeriesChange;

export interface PurgedBatch {
  readonly itemId: string;
  /** The chunks whose rows the roll-ups cover. */
  readonly chunkIds: readonly string[];
  readonly receiptId: string;
}

export interface ObservationsPurge extends SeriesChange {
  readonly purged: readonly PurgedBatch[];
}

/** Rows of a source are facts from that source. */
const CONFIDENCE = 100;

const stored = (
  { itemId, kind, meta, chunks }: SealedBatch,
  { accountId, folderId, agentId }: { readonly accountId: string; readonly folderId: string; readonly agentId: string },
): DomainEvent => ({
  type: 'item.stored',
  data: {
    itemId,
    folderId,
    kind,
    // Rows are read as a table; as text they would only clutter search.
    inKb: false,
    confidence: CONFIDENCE,
    sourceKind: 'connector',
    createdByAgentId: agentId,
    expiresAt: null,
    retention: 'metadata',
    accountId,
    links: [],
    meta,
    chunkCount: chunks.length,
    chunks: [...chunks],
  },
});

const changedMeanwhile = (accountId: string): AppError =>
  fail('oplog.conflict', 'the series of this account is being changed at the moment; try again', { accountId });

const sameIds = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((id) => b.has(id));

/**
 * The ops of new batches, in the folder of the account. The batches that the rows were compared with must be unchanged.
 */
const storedBatches = (
  state: WorkspaceState,
  principal: Principal,
  { accountId, seen, batches }: SeriesChange,
): DomainEvent[] => {
  const account = connectedAccount(state, accountId);
  const { id: folderId } = visibleFolder(state, reachOf(principal), account.folderId);
  if (!sameIds(seen, state.series.get(accountId) ?? new Set())) throw changedMeanwhile(accountId);
  return batches.map((batch) => stored(batch, { accountId, folderId, agentId: principal.agentId }));
};

export const decideImportObservations = (
  state: WorkspaceState,
  { data, principal }: Decidable<ObservationsImport>,
): Decision => {
  const events = storedBatches(state, principal, data);
  return events.length === 0 ? alreadyDone(data.accountId) : decided(data.batches[0]!.itemId, ...events);
};

/** A chunk that was forgotten in the meantime must not survive in a roll-up. */
const unchangedItem = (state: WorkspaceState, { itemId, chunkIds }: PurgedBatch, accountId: string): ItemState => {
  const item = state.items.get(itemId);
  if (item?.content && sameIds(new Set(item.content.chunkIds), new Set(chunkIds))) return item;
  throw changedMeanwhile(accountId);
};

/** Stores the roll-ups and forgets their source rows in one append: neither ever exists without the other. */
export const decidePurgeObservations = (
  state: WorkspaceState,
  { data, principal }: Decidable<ObservationsPurge>,
): Decision => {
  const { accountId, purged } = data;
  const kept = storedBatches(state, principal, data);
  const forgotten = purged.flatMap((batch) =>
    forgetEvents(state, unchangedItem(state, batch, accountId), batch.receiptId),
  );
  const events = [...kept, ...forgotten];
  return events.length === 0 ? alreadyDone(accountId) : decided(data.batches[0]?.itemId ?? accountId, ...events);
};
