import { z } from 'zod';
import { Uuid } from './text.js';

/** An entry of the forget ledger, which is kept forever: ids only, so that it may outlive everything else. */
export const LedgerEntry = z.strictObject({
  receiptId: Uuid,
  workspaceId: Uuid,
  itemId: Uuid,
  /** Null if the whole item was forgotten. */
  chunkId: Uuid.nullable(),
  /** The confirmation whose waiting text became the item: in an older backup the text may still be waiting. */
  confirmationId: Uuid.nullable(),
});
export type LedgerEntry = z.infer<typeof LedgerEntry>;
