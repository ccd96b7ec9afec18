import { z } from 'zod';
import { OpEnvelope } from './envelope.js';
import { defineEvent } from './event-definition.js';
import { Uuid } from './text.js';

/**
 * What stays of an op whose message is erased: enough to follow the chain, nothing of its content. The keyed hash goes
 * too, since its key is the installation's and would confirm a guess.
 */
export const ErasedOp = OpEnvelope.omit({ data: true, payloadHash: true }).extend({ position: z.int().min(1) });
export type ErasedOp = z.infer<typeof ErasedOp>;

/** Events whose ops hold something of an item: its text, its title or its tags, sealed. */
export const CONTENT_EVENTS: readonly string[] = ['item.stored', 'item.extended', 'item.placed', 'chunk.corrected'];

/** What led to a forgotten item leads past it from here on. */
export const LedOn = z.strictObject({
  /** Those that it had replaced itself; whatever leads to them follows. */
  items: z.array(z.strictObject({ itemId: Uuid, inKb: z.boolean() })),
  /** Its replacement, and the newest item of that chain; null makes its predecessors visible again. */
  to: z.strictObject({ byItemId: Uuid, headId: Uuid }).nullable(),
});
export type LedOn = z.infer<typeof LedOn>;

/** Removed for good. What holds its content is named, and is erased from the log once this op stands behind it. */
export const ItemForgotten = defineEvent(
  'item.forgotten',
  1,
  'forget',
  z.strictObject({
    itemId: Uuid,
    folderId: Uuid,
    /** Those that were left of it. */
    chunkIds: z.array(Uuid),
    receiptId: Uuid,
    erased: z.array(ErasedOp),
    /** Absent when it had replaced nothing. */
    ledOn: LedOn.optional(),
    /** Further ops of this command name the rest of what is erased or relinked. */
    more: z.boolean(),
  }),
);

/** One chunk removed for good. Its ciphertext stays in ops that its siblings share, and cannot be opened any more. */
export const ChunkForgotten = defineEvent(
  'chunk.forgotten',
  1,
  'forget',
  z.strictObject({ chunkId: Uuid, itemId: Uuid, folderId: Uuid, receiptId: Uuid }),
);

/** What was found in a store after a forgetting: nothing is left of it, or is not. */
export const StoreErasure = z.strictObject({
  store: z.string(),
  method: z.string(),
  at: z.string(),
  result: z.literal('erased'),
});
export type StoreErasure = z.infer<typeof StoreErasure>;

/** Nothing is left in any store: the proof of a forgetting, signed over all fields but `signature`. */
export const ReceiptIssued = defineEvent(
  'receipt.issued',
  1,
  'receipt',
  z.strictObject({
    receiptId: Uuid,
    workspaceId: Uuid,
    itemId: Uuid,
    chunkIds: z.array(Uuid),
    sourceRemoved: z.boolean(),
    /** Of the op that forgot it. */
    position: z.int().min(1),
    forgottenAt: z.string(),
    stores: z.array(StoreErasure),
    issuedAt: z.string(),
    keyId: z.string(),
    /** Ed25519, base64. */
    signature: z.base64(),
  }),
);
