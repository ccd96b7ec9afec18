import {
  fail,
  IsoTime,
  ITEM_TEXT_CHARS_MAX,
  ITEM_TITLE_CHARS_MAX,
  ItemKind,
  SOURCE_NAME_CHARS_MAX,
  SOURCE_URI_CHARS_MAX,
  SourceKind,
  Tag,
  TAGS_MAX,
  text,
  Uuid,
} from '@cairn/contracts';
import { systemClock } from '@cairn/kernel';
import { z } from 'zod';
import { ItemAnswer, ItemDetailAnswer, ItemStoredAnswer, pageOf } from './answer.schema.js';
import { idParam, pageFields } from './common.schema.js';
import { defineRoute, type Route, type RouteContext } from './route.js';

/** A person who uploads a document stands behind it; an agent's note has less weight (`store_knowledge`). */
const DOCUMENT_CONFIDENCE = 100;

const newItem = z.strictObject({
  title: text(1, ITEM_TITLE_CHARS_MAX),
  text: text(1, ITEM_TEXT_CHARS_MAX),
  folderId: Uuid.optional().describe('The token’s only folder, else the default folder, when left out.'),
  inKb: z.boolean().default(true).describe('false: kept, but never found by search.'),
  tags: z.array(Tag).max(TAGS_MAX).default([]),
  source: z
    .strictObject({
      kind: SourceKind.default('human'),
      name: text(1, SOURCE_NAME_CHARS_MAX).optional(),
      uri: text(1, SOURCE_URI_CHARS_MAX).optional(),
    })
    .default({ kind: 'human' }),
  expiresAt: IsoTime.optional().describe('Strictly in the future.'),
});

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

const storeItem = async (
  { expiresAt, folderId, source, ...body }: z.output<typeof newItem>,
  { cairn }: RouteContext,
) => {
  const { name, uri } = source;
  const stored = await cairn.command('item.store', {
    ...body,
    ...(folderId ? { folderId } : {}),
    kind: 'document',
    source: { kind: source.kind, ...(name ? { name } : {}), ...(uri ? { uri } : {}) },
    confidence: DOCUMENT_CONFIDENCE,
    expiresAt: futureTime(expiresAt),
  });
  const { itemId, chunkIds, position } = stored;
  return { id: itemId, chunkIds, embeddingStatus: 'pending', position };
};

export const ITEM_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/items',
    access: 'write',
    summary: 'Store an item',
    body: newItem,
    status: 201,
    answer: ItemStoredAnswer,
    handle: ({ body }, context) => storeItem(body, context),
  }),
  defineRoute({
    method: 'GET',
    path: '/items',
    access: 'read',
    summary: 'List items, newest first. Searching chunks is for MCP: use search_knowledge_base',
    query: itemFilter,
    status: 200,
    answer: pageOf(ItemAnswer),
    handle: ({ query }, { cairn }) => cairn.query('items.list', query),
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
];
