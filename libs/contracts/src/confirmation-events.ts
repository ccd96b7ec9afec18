import { z } from 'zod';
import { defineEvent, KeyedHash, Sealed } from './event-definition.js';
import { AgentId, Uuid } from './text.js';

/** The kinds of item that `remember` stores. */
export const MEMORY_KINDS = ['clip', 'ai-conversation'] as const;
export const MemoryKind = z.enum(MEMORY_KINDS);
export type MemoryKind = z.infer<typeof MemoryKind>;

export const MATCH_REASONS = ['contains your text', 'same words', 'close spelling'] as const;
export const MatchReason = z.enum(MATCH_REASONS);
export type MatchReason = z.infer<typeof MatchReason>;

export const CONFIRMATION_REASONS = ['close', 'none'] as const;
export const ConfirmationReason = z.enum(CONFIRMATION_REASONS);
export type ConfirmationReason = z.infer<typeof ConfirmationReason>;

/**
 * The content of `sealed` in a confirmation, under the confirmation's own key, which is destroyed when the confirmation
 * is resolved.
 */
export const WaitingText = z.strictObject({
  suggestedName: z.string(),
  /** Null if the agent gave none. */
  label: z.string().nullable(),
  text: z.string(),
  candidates: z.array(
    z.strictObject({ folderId: Uuid, name: z.string(), match: MatchReason, score: z.number().describe('0 to 1.') }),
  ),
});
export type WaitingText = z.infer<typeof WaitingText>;

/** A text was to be remembered under a name that no folder has; a person decides where it belongs. */
export const ConfirmationRequested = defineEvent(
  'confirmation.requested',
  1,
  'confirmation_request',
  z.strictObject({
    confirmationId: Uuid,
    agentId: AgentId,
    reason: ConfirmationReason,
    kind: MemoryKind,
    /** A hash of the name and the text under a key of the installation, so that a repeated call does not wait twice. */
    payloadHash: KeyedHash,
    sealed: Sealed,
    expiresAt: z.string(),
  }),
);

export const CONFIRMATION_ACTIONS = ['use', 'create', 'dismiss', 'expire'] as const;

/** A person discarded the text. It is kept until the time given here, in case that was a mistake. */
export const ConfirmationDiscarded = defineEvent(
  'confirmation.discarded',
  1,
  'confirmation_discard',
  z.strictObject({ confirmationId: Uuid, restorableUntil: z.string() }),
);

/** A discarded text is waiting again, for as long as it had left. */
export const ConfirmationRestored = defineEvent(
  'confirmation.restored',
  1,
  'confirmation_restore',
  z.strictObject({ confirmationId: Uuid }),
);

/**
 * The end of a confirmation: the text was stored (`use`, `create`), has expired, or was discarded and can no longer be
 * restored (`dismiss`). Folder and item have their own ops next to this one.
 */
export const ConfirmationResolved = defineEvent(
  'confirmation.resolved',
  1,
  'confirmation_resolve',
  z.strictObject({
    confirmationId: Uuid,
    action: z.enum(CONFIRMATION_ACTIONS),
    /** Only in ops written before the envelope carried it. */
    payloadHash: KeyedHash.optional(),
    folderId: Uuid.nullable(),
    /**
     * The item that was made from the waiting text. The name is not `itemId`, because this op holds nothing of the
     * item.
     */
    storedItemId: Uuid.nullable(),
  }),
);
