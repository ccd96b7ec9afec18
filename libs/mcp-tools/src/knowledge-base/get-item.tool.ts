import { SOURCE_KINDS, Uuid } from '@cairn/contracts';
import { z } from 'zod';
import { fenced } from '../fence.js';
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
});

export const getItem = defineTool({
  name: 'get_item',
  title: 'Get an item',
  description: 'Fetch the full content of one item, for example of a hit of search_knowledge_base.',
  input,
  output,
  scope: 'read',
  toolset: 'knowledge_base',
  annotations: { readOnlyHint: true, openWorldHint: false },
  errors: 'tool',
  cameFrom: { id: 'item_id' },
  handle: async (args, { cairn }) => {
    const item = await cairn.query('item.get', { itemId: args.item_id, surface: 'mcp' });
    const { id, title, content, folderId, source, tags, inKb, createdAt, updatedAt } = item;
    return {
      text: fenced('One item: its title, then its text.', `${title}\n\n${content}`),
      structured: { id, title, content, folderId, source, tags: [...tags], inKb, createdAt, updatedAt },
    };
  },
});
