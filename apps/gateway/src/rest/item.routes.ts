import {
  BODY_BYTES_MAX,
  fail,
  FILE_BYTES_MAX,
  filled,
  firstEmbeddingStatus,
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
import { DOCUMENT_FORMATS, fileItem } from '@cairn/documents';
import { systemClock } from '@cairn/kernel';
import { z } from 'zod';
import type { FormFile } from '../http/read-form.js';
import { ItemAnswer, ItemDetailAnswer, ItemStoredAnswer, ItemUpdatedAnswer, pageOf } from './answer.schema.js';
import { idParam, pageFields } from './common.schema.js';
import { defineRoute, defineUpload, type Route, type RouteContext } from './route.js';

/** A person who uploads a document stands behind it; an agent's note has less weight (`store_knowledge`). */
const DOCUMENT_CONFIDENCE = 100;

const FILE_TYPES = DOCUMENT_FORMATS.map((format) => `.${format}`).join(' ');

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

const newItem = z.strictObject({
  title: filled(ITEM_TITLE_CHARS_MAX),
  text: filled(ITEM_TEXT_CHARS_MAX),
  ...sharedFields,
  source: z.strictObject({ kind: SourceKind.default('human'), ...sourceFields }).default({ kind: 'human' }),
});

const newFile = z.strictObject({
  title: filled(ITEM_TITLE_CHARS_MAX)
    .optional()
    .describe('The title that the document itself has, else its file name, when left out.'),
  ...sharedFields,
  source: z
    .strictObject({ kind: SourceKind.default('file'), ...sourceFields })
    .default({ kind: 'file' })
    .describe('As JSON. The name is the file name when left out.'),
});

const itemChange = someItemChange(
  z.strictObject({
    ...itemChangeFields,
    folderId: itemChangeFields.folderId.describe('Moves the item. This folder and the present one must be in scope.'),
    inKb: itemChangeFields.inKb.describe('false takes the item out of every index; true puts it back.'),
    tags: itemChangeFields.tags.describe('Replaces all tags.'),
  }),
);

const itemFilter = z.strictObject({
  ...pageFields,
  folderId: Uuid.optional(),
  inKb: z.boolean().optional(),
  kind: ItemKind.optional(),
});

const futureTime = (expiresAt: string | undefined): string | null => {
  if (expiresAt === undefined) return null;
  const at = Date.parse(expiresAt);
  if (at > systemClock.now()) return new Date(at).toISOString();
  throw fail('knowledge.expires_in_past', 'expiresAt must be strictly in the future', { field: 'expiresAt' });
};

const storeFile = async (
  { title, source, ...fields }: z.output<typeof newFile>,
  file: FormFile,
  context: RouteContext,
) => {
  const { name, text, ...found } = await fileItem(file, context.parse);
  return storeItem({ ...fields, title: title ?? found.title, text, source: { name, ...source } }, context, 'file');
};

const storeItem = async (
  { expiresAt, folderId, source, ...body }: z.output<typeof newItem>,
  { cairn }: RouteContext,
  kind: 'document' | 'file' = 'document',
) => {
  const { name, uri } = source;
  const stored = await cairn.command('item.store', {
    ...body,
    ...(folderId ? { folderId } : {}),
    kind,
    source: { kind: source.kind, ...(name ? { name } : {}), ...(uri ? { uri } : {}) },
    confidence: DOCUMENT_CONFIDENCE,
    expiresAt: futureTime(expiresAt),
    surface: 'rest',
  });
  const { itemId, position } = stored;
  // Outside the knowledge base an item has no chunks, as readers see it.
  const chunkIds = body.inKb ? stored.chunkIds : [];
  return { id: itemId, chunkIds, embeddingStatus: firstEmbeddingStatus(body.inKb), position };
};

const updateItem = async (itemId: string, change: z.output<typeof itemChange>, { cairn }: RouteContext) => {
  const { position } = await cairn.command('item.update', { itemId, ...change });
  const { content: _, chunks: __, ...item } = await cairn.query('item.get', { itemId, surface: 'rest' });
  return { ...item, position };
};

export const ITEM_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/items',
    access: 'write',
    summary: 'Store an item',
    note:
      `As JSON of up to ${BODY_BYTES_MAX} bytes, or as a form with a file (${FILE_TYPES}) of up to ${FILE_BYTES_MAX} bytes, ` +
      'whose text is stored. A text whose JSON has more bytes than that is sent as a file.',
    body: newItem,
    status: 201,
    answer: ItemStoredAnswer,
    handle: ({ body }, context) => storeItem(body, context),
    upload: defineUpload({
      fields: newFile,
      handle: ({ fields, file }, context) => storeFile(fields, file, context),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/items',
    access: 'read',
    summary: 'List items, newest first. Searching chunks is for MCP: use search_knowledge_base',
    query: itemFilter,
    status: 200,
    answer: pageOf(ItemAnswer),
    handle: ({ query }, { cairn }) => cairn.query('items.list', { ...query, surface: 'rest' }),
  }),
  defineRoute({
    method: 'GET',
    path: '/items/{id}',
    access: 'read',
    summary: 'Get an item with its text',
    params: idParam,
    status: 200,
    answer: ItemDetailAnswer,
    handle: ({ params }, { cairn }) => cairn.query('item.get', { itemId: params.id, surface: 'rest' }),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/items/{id}',
    access: 'write',
    summary: 'Move an item, put it into the knowledge base or take it out, change its title or tags',
    note: 'At least one field. Search follows with the answer.',
    params: idParam,
    body: itemChange,
    status: 200,
    answer: ItemUpdatedAnswer,
    handle: ({ params, body }, context) => updateItem(params.id, body, context),
  }),
];
