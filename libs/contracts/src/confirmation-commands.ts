import { z } from 'zod';
import { Position } from './answer.js';
import { defineCommand } from './command-definition.js';
import { ConfirmationReason, MatchReason, MemoryKind } from './confirmation-events.js';
import { MEMORY_LABEL_CHARS_MAX, MEMORY_TEXT_CHARS_MAX, NAME_CHARS_MAX } from './limits.js';
import { filled, Slug, text, Uuid } from './text.js';

/**
 * Stores a text in the folder that a name means. A name that means none, or may mean several, is not an error: the text
 * waits for a person's decision, and the answer says so.
 */
export const RememberItem = defineCommand(
  'item.remember',
  z.strictObject({
    text: text(1, MEMORY_TEXT_CHARS_MAX),
    label: text(1, MEMORY_LABEL_CHARS_MAX).optional(),
    kind: MemoryKind,
    /** By slug, by a name that is resolved, or (neither) the token's only folder, else the default one. */
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
      /** The names of all folders that the caller may see, when none is close. */
      folders: z.array(z.string()),
      position: Position,
    }),
  ]),
);

/**
 * `expire` and `erase` come from the installation itself: the first for a text whose time is over, the second for one that
 * must not wait for it.
 */
export const RESOLVE_ACTIONS = ['use', 'create', 'dismiss', 'restore', 'expire', 'erase'] as const;

/** Says where a waiting text belongs, that it is not wanted, or that it is wanted after all. */
export const ResolveConfirmation = defineCommand(
  'confirmation.resolve',
  z.strictObject({
    confirmationId: Uuid,
    action: z.enum(RESOLVE_ACTIONS),
    /** Of `use`. */
    folderId: Uuid.optional(),
    /** Of `create`; the name that the agent suggested when left out. */
    name: filled(NAME_CHARS_MAX).optional(),
  }),
  z.strictObject({
    confirmationId: Uuid,
    folderId: Uuid.nullable(),
    itemId: Uuid.nullable(),
    position: Position,
  }),
);
