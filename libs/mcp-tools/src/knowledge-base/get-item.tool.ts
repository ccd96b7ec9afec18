import { ITEM_REFERENCE_CHARS_MAX, ItemDetail, fieldsOf, text, type QueryAnswer } from '@cairn/contracts';
import { AppError } from '@cairn/kernel';
import { z } from 'zod';
import type { CairnPort } from '../cairn.port.js';
import { fenced } from '../fence.js';
import { itemIdOf, knowledgeUri } from '../resource.js';
import { isSuperseded, supersededNote } from '../superseded.js';
import { defineTool } from '../tool.js';

const ItemReference = text(1, ITEM_REFERENCE_CHARS_MAX)
  .refine((given) => itemIdOf(given) !== undefined, `must be a UUID or a URI such as ${knowledgeUri('{id}')}`)
  .overwrite((given) => itemIdOf(given) ?? given);

const input = z.strictObject({
  item_id: ItemReference.describe(
    'The itemId of a search hit, the sourceId of a recall result, or the resource URI of either.',
  ),
});

const { title, content, source, tags, inKb } = ItemDetail.shape;

const output = z.strictObject({
  id: z.string(),
  title,
  content,
  folderId: z.string(),
  source,
  tags,
  inKb,
  createdAt: z.string(),
  updatedAt: z.string(),
  superseded: z.boolean().describe('True when another item replaces this one: its text is then no longer valid.'),
  supersededById: z.string().nullable().describe('The item that replaces it, where you may see that one.'),
});

type FoundItem = QueryAnswer<'item.get'>;

const HEAD = 'One item: its title, then its text.';

const headOf = (item: FoundItem): string => {
  const note = supersededNote(item, (id) => `call get_item with item_id ${id}`);
  return note === undefined ? HEAD : `This item was superseded: ${note} ${HEAD}`;
};

/** The error if the item with this id is missing; undefined for every other failure. */
const missing = (thrown: unknown): AppError | undefined =>
  thrown instanceof AppError && thrown.code === 'item.not_found' ? thrown : undefined;

const chunkHint = ({ code, kind, message }: AppError, chunkOf: string): AppError => {
  const hint = `this is the id of a chunk. Call get_item with item_id ${chunkOf}, the item that the chunk is part of`;
  return new AppError(code, kind, `${message}: ${hint}`, { field: 'id', chunkOf });
};

/** The item is read like any other before a refusal names it, so that a hint passes every visibility check. */
const withHint = async (cairn: CairnPort, refusal: AppError): Promise<AppError> => {
  const { chunkOf, ...details } = refusal.details;
  const plain = new AppError(refusal.code, refusal.kind, refusal.message, details);
  if (typeof chunkOf !== 'string') return plain;
  return cairn.query('item.get', { itemId: chunkOf, surface: 'mcp' }).then(
    ({ id }) => chunkHint(plain, id),
    () => plain,
  );
};

const found = async (itemId: string, cairn: CairnPort): Promise<FoundItem> => {
  try {
    return await cairn.query('item.get', { itemId, surface: 'mcp' });
  } catch (thrown) {
    const refusal = missing(thrown);
    throw refusal ? await withHint(cairn, refusal) : thrown;
  }
};

export const getItem = defineTool({
  name: 'get_item',
  title: 'Get an item',
  description:
    'Fetch the full content of one item, for example of a hit of search_knowledge_base. The answer names the ' +
    'replacement of an item that was superseded.',
  when: 'for the full text of a hit.',
  input,
  output,
  failure: { chunkOf: { type: 'string', description: 'Only of a failure: the item that the given chunk is part of.' } },
  scope: 'read',
  annotations: { readOnlyHint: true, openWorldHint: false },
  cameFrom: { id: 'item_id' },
  handle: async (args, { cairn }) => {
    const item = await found(args.item_id, cairn);
    return {
      text: fenced(headOf(item), `${item.title}\n\n${item.content}`),
      structured: fieldsOf(output.shape, { ...item, superseded: isSuperseded(item) }),
    };
  },
});
