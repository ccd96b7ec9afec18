import { z } from 'zod';
import { Position } from './answer.js';
import { defineCommand } from './command-definition.js';
import { Retention } from './graph-words.js';
import { StorableKind, TextFormat } from './item.js';
import {
  EXTERNAL_REF_CHARS_MAX,
  EXTERNAL_VERSION_CHARS_MAX,
  ITEM_TEXT_CHARS_MAX,
  ITEM_TITLE_CHARS_MAX,
  SOURCE_URI_CHARS_MAX,
} from './limits.js';
import { text, Uuid, verbatim } from './text.js';

/** Identifies a document of a source and its state. */
export const externalState = {
  ref: verbatim(1, EXTERNAL_REF_CHARS_MAX),
  version: text(1, EXTERNAL_VERSION_CHARS_MAX),
};

/**
 * Stores a document of an account, unless it is already stored in this state. A changed document becomes a new item
 * that supersedes the earlier one, in one append.
 */
export const SyncItem = defineCommand(
  'item.sync',
  z.strictObject({
    accountId: Uuid,
    ...externalState,
    /** The retention under which the text was made; refused if the account's retention has changed since. */
    retention: Retention,
    kind: StorableKind,
    title: text(1, ITEM_TITLE_CHARS_MAX),
    text: text(1, ITEM_TEXT_CHARS_MAX),
    /** The format of the file, if the text is the whole file. */
    format: TextFormat.optional(),
    uri: text(1, SOURCE_URI_CHARS_MAX).optional(),
  }),
  z.strictObject({
    itemId: Uuid,
    outcome: z.enum(['stored', 'unchanged']),
    /** Items of earlier states that hold more of the text than the account now allows. */
    looserIds: z.array(Uuid),
    position: Position,
  }),
);
