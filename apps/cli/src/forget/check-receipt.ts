import { verify } from 'node:crypto';
import type { EventData } from '@cairn/contracts';
import { canonicalJson } from '@cairn/op-log';
import type { Pool } from 'pg';

/** `pending`: not issued yet, the purge is still to come. `forged`: its signature is not of this installation. */
export type ReceiptFinding = 'valid' | 'pending' | 'forged';

/** Checks the signature of a forgetting's receipt with the public half of this installation's key. */
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
