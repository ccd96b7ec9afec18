import type { LedgerEntry } from '@cairn/contracts';
import type { Pool } from 'pg';

/** The row of `cairn.projections` with the position up to which the ledger is in the library. */
export const LEDGER_CHECKPOINT = 'forgotten';

const ENTRIES = `select f.receipt_id as "receiptId", f.workspace_id as "workspaceId", f.item_id as "itemId",
    case when not f.source_removed then f.chunk_ids[1] end as "chunkId", c.id as "confirmationId"
  from library.forgets f left join library.confirmations c on c.item_id = f.item_id and f.source_removed`;

/** Forgettings of the library, in the form of ledger entries. */
export const ledgerEntriesOf = async (pool: Pool, receiptIds: readonly string[]): Promise<LedgerEntry[]> =>
  (await pool.query<LedgerEntry>(`${ENTRIES} where f.receipt_id = any ($1::uuid[])`, [receiptIds])).rows;

/** The chunks that these receipts are for. */
export const forgottenChunks = async (pool: Pool, receiptIds: readonly string[]): Promise<string[]> => {
  const sql = 'select distinct unnest(chunk_ids) as id from library.forgets where receipt_id = any ($1::uuid[])';
  return (await pool.query<{ id: string }>(sql, [receiptIds])).rows.map(({ id }) => id);
};

/** The forgettings that a ledger with these receipts lacks. */
export const unrecordedForgettings = async (pool: Pool, receiptIds: readonly string[]): Promise<LedgerEntry[]> => {
  const isKnown = 'select from unnest($1::uuid[]) as known(id) where known.id = f.receipt_id';
  return (await pool.query<LedgerEntry>(`${ENTRIES} where not exists (${isKnown})`, [receiptIds])).rows;
};

/**
 * Items and texts that the library still has although the ledger lists them, because the library was restored from an
 * earlier backup.
 */
export interface Revived {
  readonly items: readonly LedgerEntry[];
  readonly chunks: readonly LedgerEntry[];
  /** Texts that are waiting for a decision again. */
  readonly confirmations: readonly LedgerEntry[];
}

/** One statement, however many entries there are. */
const LIVING = `select
  array(select id::text from library.items where id = any ($1::uuid[])) as items,
  array(select chunk_id::text from library.bodies where chunk_id = any ($2::uuid[])) as chunks,
  array(select id::text from library.confirmations where id = any ($3::uuid[]) and resolved_position is null) as confirmations`;

export const findRevived = async (pool: Pool, entries: readonly LedgerEntry[]): Promise<Revived> => {
  const whole = entries.filter(({ chunkId }) => chunkId === null);
  const single = entries.filter(({ chunkId }) => chunkId !== null);
  const confirmed = entries.filter(({ confirmationId }) => confirmationId !== null);
  const { rows } = await pool.query<Record<keyof Revived, string[]>>(LIVING, [
    whole.map(({ itemId }) => itemId),
    single.map(({ chunkId }) => chunkId),
    confirmed.map(({ confirmationId }) => confirmationId),
  ]);
  const [items, chunks, confirmations] = [rows[0]!.items, rows[0]!.chunks, rows[0]!.confirmations].map(
    (ids) => new Set<string | null>(ids),
  );
  return {
    items: whole.filter(({ itemId }) => items!.has(itemId)),
    chunks: single.filter(({ chunkId }) => chunks!.has(chunkId)),
    confirmations: confirmed.filter(({ confirmationId }) => confirmations!.has(confirmationId)),
  };
};

/** Records that the ledger is in the library up to this position; several processes may do so, and the highest counts. */
export const moveLedgerCheckpoint = async (pool: Pool, position: number): Promise<void> => {
  await pool.query('update cairn.projections set position = greatest(position, $2) where name = $1', [
    LEDGER_CHECKPOINT,
    position,
  ]);
};
