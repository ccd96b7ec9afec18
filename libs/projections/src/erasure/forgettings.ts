import type { Pool } from 'pg';

/** A forgetting as the library stores it: ids only. */
export interface Forgetting {
  readonly receiptId: string;
  readonly workspaceId: string;
  readonly itemId: string;
  readonly chunkIds: readonly string[];
  /** True for the whole item, false for single chunks of it. */
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

/** Forgettings whose steps are not done, oldest first, one page after the position `after`. */
export const unshreddedForgettings = async (
  pool: Pool,
  { after, max }: { readonly after: number; readonly max: number },
): Promise<Forgetting[]> => {
  const { rows } = await pool.query<ForgettingRow>(
    `select ${COLUMNS} from library.forgets f where f.receipt is null and f.position > $1
       and not exists (select from cairn.erasures e where e.receipt_id = f.receipt_id)
     order by f.position limit $2`,
    [after, max],
  );
  return rows.map(forgettingOf);
};

/** Forgettings that wait only for their purge, oldest first. */
export const shreddedForgettings = async (pool: Pool, max: number): Promise<Forgetting[]> => {
  const { rows } = await pool.query<ForgettingRow>(
    `select ${COLUMNS} from library.forgets f join cairn.erasures e using (receipt_id)
     where f.receipt is null order by f.position limit $1`,
    [max],
  );
  return rows.map(forgettingOf);
};

export interface Backlog {
  readonly unshredded: number;
  readonly oldestUnshredded: Date | null;
  readonly shredded: number;
  readonly oldestShredded: Date | null;
}

/** How many forgettings have no receipt yet, and since when. */
export const forgettingBacklog = async (pool: Pool): Promise<Backlog> => {
  const { rows } = await pool.query<Backlog>(
    `select count(*) filter (where e.receipt_id is null)::int as unshredded,
       min(f.forgotten_at) filter (where e.receipt_id is null) as "oldestUnshredded",
       count(e.receipt_id)::int as shredded,
       min(f.forgotten_at) filter (where e.receipt_id is not null) as "oldestShredded"
     from library.forgets f left join cairn.erasures e using (receipt_id) where f.receipt is null`,
  );
  return rows[0]!;
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

/** Recorded so that the step is not repeated after a restart; repeating it would change nothing. */
export const markShredded = async (pool: Pool, receiptIds: readonly string[]): Promise<void> => {
  await pool.query(
    `insert into cairn.erasures (receipt_id, shredded_at) select unnest($1::uuid[]), now() on conflict do nothing`,
    [receiptIds],
  );
};
