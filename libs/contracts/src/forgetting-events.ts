import { z } from 'zod';
import { OpEnvelope } from './envelope.js';
import { defineEvent } from './event-definition.js';
import { Uuid } from './text.js';

/**
 * The remains of an op whose message is erased: enough to follow the chain, nothing of its content. The keyed hash is
 * removed too, since its key belongs to the installation and would confirm a guess.
 */
export const ErasedOp = OpEnvelope.omit({ data: true, payloadHash: true }).extend({ position: z.int().min(1) });
export type ErasedOp = z.infer<typeof ErasedOp>;

/** Events whose ops hold sealed content of an item: its text, its title, its tags, or what its chunks state. */
export const CONTENT_EVENTS: readonly string[] = [
  'item.stored',
  'item.extended',
  'item.placed',
  'chunk.corrected',
  'edge.observed',
  'edge.reviewed',
];

/** Pointers to a forgotten item are redirected past it. */
export const LedOn = z.strictObject({
  /** The items that the forgotten one had replaced directly; the items that point to them follow. */
  items: z.array(z.strictObject({ itemId: Uuid, inKb: z.boolean() })),
  /** The forgotten item's replacement, and the newest item of that chain; null makes its predecessors visible again. */
  to: z.strictObject({ byItemId: Uuid, headId: Uuid }).nullable(),
});
export type LedOn = z.infer<typeof LedOn>;

/**
 * An item is removed permanently. The op lists the ops that hold its content; they are erased from the log once this op
 * follows them.
 */
export const ItemForgotten = defineEvent(
  'item.forgotten',
  1,
  'forget',
  z.strictObject({
    itemId: Uuid,
    folderId: Uuid,
    /** Whether it was in the knowledge base. Absent in ops of earlier builds. */
    inKb: z.boolean().optional(),
    /** Those that were left of it. */
    chunkIds: z.array(Uuid),
    receiptId: Uuid,
    erased: z.array(ErasedOp),
    /** Absent if the item had replaced nothing. */
    ledOn: LedOn.optional(),
    /** Whether further ops of this command name the rest of the erased or redirected entries. */
    more: z.boolean(),
  }),
);

/**
 * One chunk is removed permanently. Its ciphertext stays in ops that it shares with its siblings, and can no longer be
 * decrypted.
 */
export const ChunkForgotten = defineEvent(
  'chunk.forgotten',
  1,
  'forget',
  z.strictObject({ chunkId: Uuid, itemId: Uuid, folderId: Uuid, receiptId: Uuid }),
);

/** The message about forgotten chunks to everything that holds their vectors in memory. */
export const ForgottenChunks = z.strictObject({ chunkIds: z.array(Uuid) });
export type ForgottenChunks = z.infer<typeof ForgottenChunks>;

/** The result of searching a store after a forgetting: whether it is empty of the forgotten content. */
export const StoreErasure = z.strictObject({
  store: z.string(),
  method: z.string(),
  at: z.string(),
  result: z.literal('erased'),
});
export type StoreErasure = z.infer<typeof StoreErasure>;

/** Nothing is left in any store: the proof of a forgetting, signed over all fields except `signature`. */
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
    /** The position of the op that forgot it. */
    position: z.int().min(1),
    forgottenAt: z.string(),
    stores: z.array(StoreErasure),
    issuedAt: z.string(),
    keyId: z.string(),
    /** Ed25519, base64. */
    signature: z.base64(),
  }),
);
