import { verify } from 'node:crypto';
import type { EventData } from '@cairn/contracts';
import { canonicalJson } from '@cairn/op-log';
import type { Pool } from 'pg';

/** `pending`: not issued yet, because the purge has not run. `forged`: another installation signed it. */
export type ReceiptFinding = 'valid' | 'pending' | 'forged';

/** Checks the signature of a receipt against the public key of this installation. */
export const checkReceipt = async (pool: Pool, receiptId: string, publicKey: string): Promise<ReceiptFinding> => {
  const { rows } = await pool.query<{ receipt: EventData<'receipt.issued'> | null }>(
    'select receipt from library.forgets where receipt_id = $1',
    [receiptId],
  );
  const receipt = rows[0]?.receipt;
  if (!receipt) return 'pending';
  const { signature, ...signed } = receipt;
  const isValid = verify(null, Buffer.from(canonicalJson(signed)), publicKey, Buffer.from(signature, 'base64'));
  return isValid ? 'valid' : 'forged';
};
