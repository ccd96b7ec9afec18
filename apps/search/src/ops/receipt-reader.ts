import { notFound } from '@cairn/access';
import type { Principal, QueryData, ReceiptKeyView, ReceiptView } from '@cairn/contracts';
import { columnsOf, readRows } from '@cairn/persistence';
import type { Vault } from '@cairn/vault';
import type { Pool } from 'pg';

type Returned = Pick<ReceiptView, 'id' | 'itemId' | 'chunkIds' | 'sourceRemoved' | 'position' | 'receipt'>;

interface ReceiptRow extends Returned {
  readonly forgottenAt: Date;
  readonly shreddedAt: Date | null;
}

const GET_RECEIPT = `
select f.receipt_id as id, ${columnsOf('f', ['itemId', 'chunkIds', 'sourceRemoved', 'receipt', 'forgottenAt'])},
       f.position::float8 as position, e.shredded_at as "shreddedAt"
  from library.forgets f
  left join cairn.erasures e using (receipt_id)
  where f.workspace_id = $1 and f.receipt_id = $2`;

/** The state of a forgetting: its progress, and the signed receipt at its end. */
export class ReceiptReader {
  constructor(
    private readonly pool: Pool,
    private readonly vault: Pick<Vault, 'secrets'>,
  ) {}

  async get({ workspaceId }: Principal, { receiptId }: QueryData<'receipt.get'>): Promise<ReceiptView> {
    const [row] = await readRows<ReceiptRow>(this.pool, GET_RECEIPT, [workspaceId, receiptId]);
    if (!row) throw notFound('receipt');
    const { forgottenAt, shreddedAt, ...returned } = row;
    const purged = returned.receipt?.issuedAt ?? null;
    // A receipt proves that all stages are done, even if the record of an earlier one was lost.
    const stages = { invisible: forgottenAt.toISOString(), shredded: shreddedAt?.toISOString() ?? purged, purged };
    return { ...returned, status: returned.receipt ? 'issued' : 'pending', stages };
  }

  async key(): Promise<ReceiptKeyView> {
    const { signingKey } = await this.vault.secrets();
    return { ...signingKey, algorithm: 'Ed25519' };
  }
}
