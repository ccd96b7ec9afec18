import { SOURCE_KINDS, Uuid, type ItemDetail } from '@cairn/contracts';
import { z } from 'zod';
import { fenced } from '../fence.js';
import { supersededNote } from '../superseded.js';
import { defineTool } from '../tool.js';

const input = z.strictObject({ item_id: Uuid.describe('The itemId of a search hit.') });

const output = z.strictObject({
  id: z.string(),
  title: z.string(),
  content: z.string(),
  folderId: z.string(),
  source: z.strictObject({
    kind: z.enum(SOURCE_KINDS),
    name: z.string().optional(),
    uri: z.string().optional(),
  }),
  tags: z.array(z.string()),
  inKb: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
  superseded: z.boolean().describe('True when another item replaces this one: its text is then no longer valid.'),
  supersededById: z.string().nullable().describe('The item that replaces it, where you may see that one.'),
});

const HEAD = 'One item: its title, then its text.';

const headOf = (item: ItemDetail): string => {
  const note = supersededNote(item, (id) => `call get_item with item_id ${id}`);
  return note === undefined ? HEAD : `This item was superseded: ${note} ${HEAD}`;
};

export const getItem = defineTool({
  name: 'get_item',
  title: 'Get an item',
  description:
    'Fetch the full content of one item, for example of a hit of search_knowledge_base. The answer names the ' +
    'replacement of an item that was superseded.',
  input,
  output,
  scope: 'read',
  toolset: 'knowledge_base',
  annotations: { readOnlyHint: true, openWorldHint: false },
  errors: 'tool',
  cameFrom: { id: 'item_id' },
  handle: async (args, { cairn }) => {
    const item = await cairn.query('item.get', { itemId: args.item_id, surface: 'mcp' });
    const { id, title, content, folderId, source, tags, inKb, createdAt, updatedAt, superseded, supersededById } = item;
    const shown = { id, title, content, folderId, source, tags: [...tags], inKb, createdAt, updatedAt };
    return {
      text: fenced(headOf(item), `${title}\n\n${content}`),
      structured: { ...shown, superseded, supersededById },
    };
  },
});
