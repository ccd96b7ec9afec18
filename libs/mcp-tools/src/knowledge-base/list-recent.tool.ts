import { ITEM_KINDS, PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX, type QueryAnswer } from '@cairn/contracts';
import { z } from 'zod';
import { countArgument } from '../count-argument.js';
import { oneLine } from '../hit-list.js';
import { itemReferences } from '../references.js';
import { knowledgeUri } from '../resource.js';
import { defineTool } from '../tool.js';

const input = z.strictObject({
  limit: countArgument(PAGE_LIMIT_MAX, PAGE_LIMIT_DEFAULT, 'Maximum number of items to return.'),
});

const output = z.strictObject({
  items: z
    .array(
      z.strictObject({
        id: z.string().describe('Feed it to get_item for the full content.'),
        title: z.string(),
        kind: z.enum(ITEM_KINDS),
        folderId: z.string(),
        createdAt: z.string(),
        resource: z.string().describe('URI for resources/read.'),
        superseded: z.literal(true).optional().describe('Present when a newer item has replaced this one.'),
      }),
    )
    .describe('Newest first.'),
});

type ListedItem = QueryAnswer<'items.list'>['items'][number];

const entryOf = ({ id, title, kind, folderId, createdAt, superseded }: ListedItem) => ({
  id,
  title,
  kind,
  folderId,
  createdAt,
  resource: knowledgeUri(id),
  ...(superseded ? { superseded: true as const } : {}),
});

const lineOf = ({ title, kind, createdAt, superseded }: ListedItem, index: number): string =>
  `${index + 1}. ${oneLine(title) || '(untitled)'} (${kind}, ${createdAt}${superseded ? ', superseded' : ''})`;

export const listRecent = defineTool({
  name: 'list_recent',
  title: 'List recent items',
  description:
    "List the newest items of the user's library, newest first, without their text. Fetch the full content of one with " +
    'get_item and its id.',
  when: 'for what was added last.',
  input,
  output,
  scope: 'read',
  annotations: { readOnlyHint: true, openWorldHint: false },
  handle: async ({ limit }, { cairn }) => {
    const { items } = await cairn.query('items.list', { limit, surface: 'mcp' });
    return {
      text: items.length === 0 ? 'There are no items yet.' : items.map(lineOf).join('\n'),
      ...itemReferences(items.map(({ id }) => id)),
      structured: { items: items.map(entryOf) },
    };
  },
});
