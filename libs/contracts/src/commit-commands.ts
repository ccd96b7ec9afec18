import { z } from 'zod';
import { Position } from './answer.js';
import { defineCommand } from './command-definition.js';
import { NewEdges } from './graph-commands.js';
import { GraphConfidence, NewLinkType } from './graph-words.js';
import {
  AGENT_CONFIDENCE_MAX,
  COMMIT_SOURCES_MAX,
  EXTRA_METADATA_BYTES_MAX,
  LINKS_PER_CALL_MAX,
  MEMORY_TEXT_CHARS_MAX,
  NAME_CHARS_MAX,
  SOURCE_URI_CHARS_MAX,
} from './limits.js';
import { filled, text, Uuid } from './text.js';

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

/** The source of a commit: a URI or a name, or an object with more details. */
const CommitSource = z.union([text(1, SOURCE_URI_CHARS_MAX), z.record(z.string(), z.unknown())], {
  error: `must be a text of 1 to ${SOURCE_URI_CHARS_MAX} characters or an object`,
});

/** A link from the commit. An agent's confidence is always below 1. */
const CommitLink = z.strictObject({
  toItemId: Uuid,
  type: NewLinkType,
  confidence: GraphConfidence.max(AGENT_CONFIDENCE_MAX).optional(),
});

/** The fields that Cairn understands. They are checked here and not published; all other fields are kept unchanged. */
export const CommitFields = z.looseObject({
  sources: z.array(CommitSource).max(COMMIT_SOURCES_MAX).optional(),
  /** Relations that the text states, in the form of `POST /edges`. */
  edges: NewEdges.optional(),
  links: z.array(CommitLink).max(LINKS_PER_CALL_MAX).optional(),
});

/** Whether every store can hold it: no NUL character and no lone surrogate, in keys as well. */
const isStorable = (value: unknown): boolean => {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\u0000');
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => isStorable(key) && isStorable(inner));
};

type Extra = Readonly<Record<string, unknown>>;

const checkSize = (extra: Extra, context: z.RefinementCtx): void => {
  if (bytesOf(extra) <= EXTRA_METADATA_BYTES_MAX) return;
  const message = `must have at most ${EXTRA_METADATA_BYTES_MAX} bytes as JSON`;
  context.addIssue({ code: 'custom', message, params: { limit: EXTRA_METADATA_BYTES_MAX }, input: extra });
};

const checkFields = (extra: Extra, context: z.RefinementCtx): void => {
  for (const issue of CommitFields.safeParse(extra, { reportInput: true }).error?.issues ?? [])
    context.addIssue(issue as Parameters<typeof context.addIssue>[0]);
};

export const ExtraMetadata = z
  .looseObject({})
  .refine(isStorable, 'must not contain a NUL character or a lone surrogate')
  .superRefine(checkSize)
  .superRefine(checkFields);
export type ExtraMetadata = z.infer<typeof ExtraMetadata>;

/**
 * Stores a text in the folder with exactly this name. Unlike `item.remember`, no text waits for a decision: an unknown
 * folder name is an error, and the caller chooses another.
 */
export const CommitItem = defineCommand(
  'item.commit',
  z.strictObject({
    folderName: filled(NAME_CHARS_MAX),
    text: filled(MEMORY_TEXT_CHARS_MAX),
    extra: ExtraMetadata.optional(),
    clientToken: Uuid.optional(),
  }),
  z.strictObject({
    itemId: Uuid,
    folderId: Uuid,
    folderName: z.string(),
    chunkCount: z.int(),
    position: Position,
  }),
);
