import { z } from 'zod';
import { Position } from './answer.js';
import { defineCommand } from './command-definition.js';
import { ITEM_TEXT_CHARS_MAX, ITEM_TITLE_CHARS_MAX, SOURCE_NAME_CHARS_MAX } from './limits.js';
import { filled, text, Uuid } from './text.js';

/** Stores the text of a file next to a log card, in its folder, and links the two. */
export const AttachItem = defineCommand(
  'item.attach',
  z.strictObject({
    logCardId: Uuid,
    title: filled(ITEM_TITLE_CHARS_MAX),
    text: filled(ITEM_TEXT_CHARS_MAX),
    fileName: text(1, SOURCE_NAME_CHARS_MAX),
  }),
  z.strictObject({ itemId: Uuid, linkId: Uuid, chunkCount: z.int(), position: Position }),
);
