import {
  ADD_TO_KNOWLEDGE_PER_HOUR_MAX,
  ADDED_TEXT_CHARS_MIN,
  BODY_BYTES_MAX,
  firstEmbeddingStatus,
  ITEM_TEXT_CHARS_MAX,
  ITEM_TITLE_CHARS_MAX,
  SOURCE_URI_CHARS_MAX,
  text,
  titleFrom,
  Uuid,
  type CommandData,
} from '@cairn/contracts';
import { z } from 'zod';
import { oneLine } from '../hit-list.js';
import type { PagePort } from '../page.port.js';
import { knowledgeUri } from '../resource.js';
import { defineTool } from '../tool.js';

/** Text that an agent adds has the same weight as its knowledge (`store_knowledge`). */
const CONFIDENCE = 80;

const fields = z.strictObject({
  kind: z.enum(['url', 'text']).describe('url: fetch a public web page and keep its text. text: keep the text given.'),
  url: text(1, SOURCE_URI_CHARS_MAX)
    .optional()
    .describe('With kind url: a public https address of an HTML, text, Markdown, CSV, JSON, PDF or Word page.'),
  text: text(ADDED_TEXT_CHARS_MIN, ITEM_TEXT_CHARS_MAX)
    .optional()
    .describe(`With kind text: what to keep. The whole message has at most ${BODY_BYTES_MAX} bytes.`),
  title: text(1, ITEM_TITLE_CHARS_MAX)
    .optional()
    .describe("The page's own title, or the beginning of a text, when left out."),
  in_kb: z.boolean().default(true).describe('false: kept, but never found by search.'),
  auto_transform: z
    .boolean()
    .default(false)
    .describe('Must be false: texts are kept as they are, nothing rewrites them.'),
  folder_id: Uuid.optional().describe("The token's only folder, else the default folder, when left out."),
});

type Fields = z.output<typeof fields>;

/** The fault in a combination of fields, and the field to name. */
const mistakeIn = (args: Fields): { readonly field: keyof Fields; readonly message: string } | undefined => {
  const other = args.kind === 'url' ? 'text' : 'url';
  if (args[args.kind] === undefined) return { field: args.kind, message: `is required when kind is ${args.kind}` };
  if (args[other] !== undefined) return { field: other, message: `must be left out when kind is ${args.kind}` };
  if (args.text?.trim() === '') return { field: 'text', message: 'must not be blank' };
  if (args.title?.trim() === '') return { field: 'title', message: 'must not be blank' };
  if (args.auto_transform) {
    return { field: 'auto_transform', message: 'must be false: Cairn keeps texts as they are and rewrites none' };
  }
  return undefined;
};

const input = fields.superRefine((args, context) => {
  const mistake = mistakeIn(args);
  if (mistake) context.addIssue({ code: 'custom', path: [mistake.field], message: mistake.message, input: args });
});

const output = z.strictObject({
  itemId: z.string().describe('Feed it to get_item for the full content.'),
  title: z.string(),
  chunks: z.int().describe('Into how many chunks the text was cut; none outside of the knowledge base.'),
  embeddingStatus: z
    .enum(['pending', 'ready'])
    .describe(
      'pending: found by its words at once, by its meaning soon. ready: with in_kb false nothing is to be done.',
    ),
  position: z.int().describe('Position in the op-log.'),
  resource: z.string().describe('URI for resources/read.'),
});

const shortened = (line: string, chars: number): string => [...line.slice(0, 2 * chars)].slice(0, chars).join('');

type Content = Pick<CommandData<'item.store'>, 'title' | 'text' | 'kind' | 'source'>;

const pageContent = async (given: string, title: string | undefined, pages: PagePort): Promise<Content> => {
  const page = await pages.read(given);
  const named = oneLine(page.title ?? '') || page.url;
  return {
    title: title ?? shortened(named, ITEM_TITLE_CHARS_MAX),
    text: page.text,
    kind: 'document',
    source: { kind: 'url', uri: page.url },
  };
};

const textContent = (body: string, title: string | undefined): Content => ({
  ...(title !== undefined && { title }),
  text: body,
  kind: 'clip',
  source: { kind: 'agent' },
});

export const addToKnowledge = defineTool({
  name: 'add_to_knowledge',
  title: 'Add to the knowledge base',
  description:
    "Add a public web page or a text to the user's library. It is findable by its words at once; its embedding follows " +
    'out of band. A page is fetched once, as it is now; pages behind a login cannot be fetched: send their text instead.',
  when: 'for a web page or a longer text that belongs in the library.',
  input,
  output,
  scope: 'write',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  cameFrom: { folderId: 'folder_id', inKb: 'in_kb' },
  callsPerHour: ADD_TO_KNOWLEDGE_PER_HOUR_MAX,
  handle: async (args, { cairn, pages }) => {
    const content =
      args.url === undefined
        ? textContent(args.text ?? '', args.title)
        : await pageContent(args.url, args.title, pages);
    const { itemId, chunkIds, position } = await cairn.command('item.store', {
      ...content,
      ...(args.folder_id ? { folderId: args.folder_id } : {}),
      inKb: args.in_kb,
      tags: [],
      confidence: CONFIDENCE,
      expiresAt: null,
      surface: 'mcp',
    });
    const title = content.title ?? titleFrom(content.text);
    return {
      text: `Added "${oneLine(title)}" as ${itemId}.`,
      structured: {
        itemId,
        title,
        chunks: args.in_kb ? chunkIds.length : 0,
        embeddingStatus: firstEmbeddingStatus(args.in_kb),
        position,
        resource: knowledgeUri(itemId),
      },
    };
  },
});
