import { z } from 'zod';
import { Position } from './answer.js';
import { defineCommand } from './command-definition.js';
import { ConfirmationReason, MatchReason, MemoryKind } from './confirmation-events.js';
import { MEMORY_LABEL_CHARS_MAX, MEMORY_TEXT_CHARS_MAX, NAME_CHARS_MAX } from './limits.js';
import { filled, Slug, text, Uuid } from './text.js';

/**
 * Stores a text in the folder that a name refers to. A name that matches no folder, or several, is not an error: the
 * text waits for a person's decision, and the answer reports that.
 */
export const RememberItem = defineCommand(
  'item.remember',
  z.strictObject({
    text: text(1, MEMORY_TEXT_CHARS_MAX),
    label: text(1, MEMORY_LABEL_CHARS_MAX).optional(),
    kind: MemoryKind,
    /**
     * The folder is given by slug or by a name to resolve. Without either, it is the token's only folder, or else the
     * default one.
     */
    slug: z.string().max(NAME_CHARS_MAX).optional(),
    name: text(1, NAME_CHARS_MAX).optional(),
    clientToken: Uuid.optional(),
  }),
  z.discriminatedUnion('outcome', [
    z.strictObject({
      outcome: z.literal('stored'),
      itemId: Uuid,
      folder: Slug,
      chunkCount: z.int(),
      position: Position,
    }),
    z.strictObject({
      outcome: z.literal('waiting'),
      confirmationId: Uuid,
      reason: ConfirmationReason,
      candidates: z.array(z.strictObject({ name: z.string(), slug: Slug, match: MatchReason })),
      /** The names of all folders that the caller may see, if no folder name is similar. */
      folders: z.array(z.string()),
      position: Position,
    }),
  ]),
);

/**
 * `expire` and `erase` come from the installation itself: `expire` for a text whose time is over, `erase` for one that
 * must not wait until then.
 */
export const RESOLVE_ACTIONS = ['use', 'create', 'dismiss', 'restore', 'expire', 'erase'] as const;

/** Decides about a waiting text: where it belongs, that it is discarded, or that it is restored. */
export const ResolveConfirmation = defineCommand(
  'confirmation.resolve',
  z.strictObject({
    confirmationId: Uuid,
    action: z.enum(RESOLVE_ACTIONS),
    /** For `use`. */
    folderId: Uuid.optional(),
    /** For `create`; defaults to the name that the agent suggested. */
    name: filled(NAME_CHARS_MAX).optional(),
  }),
  z.strictObject({
    confirmationId: Uuid,
    folderId: Uuid.nullable(),
    itemId: Uuid.nullable(),
    position: Position,
  }),
);
