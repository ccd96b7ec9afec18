import { notFound } from '@cairn/access';
import type { Principal, QueryData, ReceiptKeyView, ReceiptView } from '@cairn/contracts';
import { readRows } from '@cairn/persistence';
import type { Vault } from '@cairn/vault';
import type { Pool } from 'pg';

interface ReceiptRow {
  readonly receipt_id: string;
  readonly item_id: string;
  readonly chunk_ids: string[];
  readonly source_removed: boolean;
  readonly position: string;
  readonly forgotten_at: Date;
  readonly shredded_at: Date | null;
  readonly receipt: ReceiptView['receipt'];
}

const GET_RECEIPT = `
select f.receipt_id, f.item_id, f.chunk_ids, f.source_removed, f.position, f.forgotten_at, e.shredded_at, f.receipt
  from library.forgets f
  left join cairn.erasures e using (receipt_id)
  where f.workspace_id = $1 and f.receipt_id = $2`;

/** What has become of a forgetting: how far it is, and the signed proof at its end. */
export class ReceiptReader {
  constructor(
    private readonly pool: Pool,
    private readonly vault: Pick<Vault, 'secrets'>,
  ) {}

  async get({ workspaceId }: Principal, { receiptId }: QueryData<'receipt.get'>): Promise<ReceiptView> {
    const [row] = await readRows<ReceiptRow>(this.pool, GET_RECEIPT, [workspaceId, receiptId]);
    if (!row) throw notFound('receipt');
    // A receipt says that all was done, also where the note of its first stage was lost.
    const shredded = row.shredded_at?.toISOString() ?? row.receipt?.issuedAt ?? null;
    return {
      id: row.receipt_id,
      itemId: row.item_id,
      chunkIds: row.chunk_ids,
      sourceRemoved: row.source_removed,
      position: Number(row.position),
      status: row.receipt ? 'issued' : 'pending',
      stages: { invisible: row.forgotten_at.toISOString(), shredded, purged: row.receipt?.issuedAt ?? null },
      receipt: row.receipt,
    };
  }

  async key(): Promise<ReceiptKeyView> {
    const { signingKey } = await this.vault.secrets();
    return { ...signingKey, algorithm: 'Ed25519' };
  }
}
