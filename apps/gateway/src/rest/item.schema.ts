import {
  BATCH_ITEMS_MAX,
  filled,
  IsoTime,
  ITEM_TEXT_CHARS_MAX,
  ITEM_TITLE_CHARS_MAX,
  itemChangeFields,
  ItemKind,
  someItemChange,
  SOURCE_NAME_CHARS_MAX,
  SOURCE_URI_CHARS_MAX,
  SourceKind,
  Tag,
  TAGS_MAX,
  text,
  Uuid,
} from '@cairn/contracts';
import { z } from 'zod';
import { pageFields } from './common.schema.js';

const sourceFields = {
  name: text(1, SOURCE_NAME_CHARS_MAX).optional(),
  uri: text(1, SOURCE_URI_CHARS_MAX).optional(),
};

const sharedFields = {
  folderId: Uuid.optional().describe('The token’s only folder, else the default folder, when left out.'),
  inKb: z.boolean().default(true).describe('false: kept, but never found by search.'),
  tags: z.array(Tag).max(TAGS_MAX).default([]),
  expiresAt: IsoTime.optional().describe('Strictly in the future.'),
};

export const newItem = z.strictObject({
  title: filled(ITEM_TITLE_CHARS_MAX),
  text: filled(ITEM_TEXT_CHARS_MAX),
  ...sharedFields,
  source: z.strictObject({ kind: SourceKind.default('human'), ...sourceFields }).default({ kind: 'human' }),
});

export type NewItem = z.output<typeof newItem>;

/** Formats of files whose text is their content, so that the sender needs no parser for them. */
const PLAIN_FORMATS = ['txt', 'md'] as const;

export const batchItem = newItem.extend({
  idempotencyKey: Uuid.optional().describe('The Idempotency-Key of this item, as POST /items takes it.'),
  format: z
    .enum(PLAIN_FORMATS)
    .optional()
    .describe('The format of the file that the text was read from. The item is then stored as that file would be.'),
});

type SchemaObject = Exclude<NonNullable<z.GlobalMeta['override']>, (...given: never[]) => unknown>;

const { $schema: _, ...publishedItem } = z.toJSONSchema(batchItem, { io: 'input' });

/** Items are validated one by one, so that a bad one does not spoil the batch. The document shows their schema. */
export const itemBatch = z.strictObject({
  items: z
    .array(z.unknown().meta({ override: publishedItem as SchemaObject }))
    .min(1)
    .max(BATCH_ITEMS_MAX),
});

export const newFile = z.strictObject({
  title: filled(ITEM_TITLE_CHARS_MAX)
    .optional()
    .describe('The title that the document itself has, else its file name, when left out.'),
  ...sharedFields,
  source: z
    .strictObject({ kind: SourceKind.default('file'), ...sourceFields })
    .default({ kind: 'file' })
    .describe('As JSON. The name is the file name when left out.'),
});

export const itemChange = someItemChange(
  z.strictObject({
    ...itemChangeFields,
    folderId: itemChangeFields.folderId.describe('Moves the item. This folder and the present one must be in scope.'),
    inKb: itemChangeFields.inKb.describe('false takes the item out of every index; true puts it back.'),
    tags: itemChangeFields.tags.describe('Replaces all tags.'),
  }),
);

export const itemFilter = z.strictObject({
  ...pageFields,
  folderId: Uuid.optional(),
  inKb: z.boolean().optional(),
  kind: ItemKind.optional(),
});
