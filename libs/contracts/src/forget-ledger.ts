import { z } from 'zod';
import { Uuid } from './text.js';

/** A forgetting, as the forget ledger keeps it forever: ids only, so that it may outlive everything else. */
export const LedgerEntry = z.strictObject({
  receiptId: Uuid,
  workspaceId: Uuid,
  itemId: Uuid,
  /** Null: the whole item. */
  chunkId: Uuid.nullable(),
  /** The text that waited for a decision and became the item: an earlier copy may have it waiting still. */
  confirmationId: Uuid.nullable(),
});
export type LedgerEntry = z.infer<typeof LedgerEntry>;
