import type { OpLog, VectorLog } from '@cairn/op-log';
import type { OpenSearchClient } from '@cairn/persistence';
import type { Vault } from '@cairn/vault';
import type { Pool } from 'pg';

/** Everything that may hold something of an item. */
export interface ErasureStores {
  readonly pool: Pool;
  readonly vault: Vault;
  readonly log: OpLog;
  readonly vectors: VectorLog;
  /** Where it is used, the keyword index is there and not in Postgres. */
  readonly openSearch?: OpenSearchClient | undefined;
}

/** A forgetting, as the library keeps it: by ids only. */
export interface Forgetting {
  readonly receiptId: string;
  readonly workspaceId: string;
  readonly itemId: string;
  readonly chunkIds: readonly string[];
  /** The whole item; else single chunks of it. */
  readonly sourceRemoved: boolean;
  /** Positions of the ops that held its content. */
  readonly erased: readonly number[];
  readonly position: number;
  readonly forgottenAt: Date;
}

interface ForgettingRow {
  readonly receipt_id: string;
  readonly workspace_id: string;
  readonly item_id: string;
  readonly chunk_ids: string[];
  readonly source_removed: boolean;
  readonly erased: string[];
  readonly position: string;
  readonly forgotten_at: Date;
}

const COLUMNS = `f.receipt_id, f.workspace_id, f.item_id, f.chunk_ids, f.source_removed, f.erased, f.position, f.forgotten_at`;

const forgettingOf = (row: ForgettingRow): Forgetting => ({
  receiptId: row.receipt_id,
  workspaceId: row.workspace_id,
  itemId: row.item_id,
  chunkIds: row.chunk_ids,
  sourceRemoved: row.source_removed,
  erased: row.erased.map(Number),
  position: Number(row.position),
  forgottenAt: row.forgotten_at,
});

export interface PendingForgetting extends Forgetting {
  readonly shreddedAt: Date | null;
}

/** Forgettings without a receipt, oldest first. */
export const pendingForgettings = async (pool: Pool, max: number): Promise<PendingForgetting[]> => {
  const { rows } = await pool.query<ForgettingRow & { shredded_at: Date | null }>(
    `select ${COLUMNS}, e.shredded_at from library.forgets f left join cairn.erasures e using (receipt_id)
     where f.receipt is null order by f.position limit $1`,
    [max],
  );
  return rows.map((row) => ({ ...forgettingOf(row), shreddedAt: row.shredded_at }));
};

/** By the id of the item, of a chunk, or of the receipt. */
export const findForgettings = async (pool: Pool, id: string): Promise<Forgetting[]> => {
  const { rows } = await pool.query<ForgettingRow>(
    `select ${COLUMNS} from library.forgets f
     where f.receipt_id = $1 or f.item_id = $1 or $1 = any (f.chunk_ids) order by f.position`,
    [id],
  );
  return rows.map(forgettingOf);
};

/** Remembered so that it is not done again after a restart; doing it again would change nothing. */
export const markShredded = async (pool: Pool, receiptId: string): Promise<void> => {
  await pool.query('insert into cairn.erasures (receipt_id, shredded_at) values ($1, now()) on conflict do nothing', [
    receiptId,
  ]);
};
