import {
  Explanation,
  KB_SEARCH_LIMIT_DEFAULT,
  KB_SEARCH_LIMIT_MAX,
  QUERY_CHARS_MAX,
  SearchMode,
  text,
  type ChunkHit,
} from '@cairn/contracts';
import { z } from 'zod';
import { countArgument } from '../count-argument.js';
import { explainArgument } from '../explain-argument.js';
import { hitList, searchNotes } from '../hit-list.js';
import { itemReferences } from '../references.js';
import { knowledgeUri } from '../resource.js';
import { snippet } from '../snippet.js';
import { defineTool } from '../tool.js';

const input = z.strictObject({
  query: text(1, QUERY_CHARS_MAX).describe('Natural-language query to search for.'),
  limit: countArgument(KB_SEARCH_LIMIT_MAX, KB_SEARCH_LIMIT_DEFAULT, 'Maximum number of chunks to return.'),
  mode: SearchMode.default('hybrid').describe(
    'semantic: by meaning, for questions that paraphrase the source. keyword: full text, for exact strings, names and ' +
      'error codes. hybrid: a blend of 70% semantic and 30% keyword.',
  ),
  explain: explainArgument,
});

const output = z.strictObject({
  hits: z
    .array(
      z.strictObject({
        itemId: z.string().describe('Feed it to get_item for the full content.'),
        chunkId: z.string(),
        title: z.string(),
        score: z
          .number()
          .describe(
            '0 to 1, best first, relative to this answer: the best hit is near 1 even where nothing fits. In mode ' +
              'semantic the cosine, which can be below 0.',
          ),
        snippet: z.string(),
        folderId: z.string(),
        resource: z.string().describe('URI for resources/read.'),
        explain: Explanation.exactOptional(),
      }),
    )
    .describe('Matching chunks; two chunks of one item may both appear.'),
  mode: SearchMode.describe('The mode that was asked for.'),
  degraded: z
    .boolean()
    .describe('True when one part, semantic or keyword, was unavailable and the hits come from the other.'),
  stale: z.literal(true).optional().describe('Present when the newest writes may be missing.'),
});

const hitOf = ({ text: body, ...hit }: ChunkHit, query: string) => ({
  ...hit,
  snippet: snippet(body, query),
  resource: knowledgeUri(hit.itemId),
});

export const searchKnowledgeBase = defineTool({
  name: 'search_knowledge_base',
  title: 'Search the knowledge base',
  description:
    "Semantic, keyword, or hybrid search over the user's library. Returns the top matching chunks with titles and " +
    'scores, best first. A score ranks the hits of one answer against each other and is not a confidence: judge by ' +
    'the text. What was superseded or has expired is left out. Fetch the full content of a hit with get_item and its itemId.',
  when: 'for any question about the library; also finds exact strings, such as names and error codes. Start here.',
  input,
  output,
  scope: 'read',
  annotations: { readOnlyHint: true, openWorldHint: false },
  errors: 'jsonrpc',
  handle: async (args, { cairn }) => {
    const answer = await cairn.query('chunks.search', args);
    const hits = answer.hits.map((hit) => hitOf(hit, args.query));
    return {
      text: hitList(hits, searchNotes(answer)),
      ...itemReferences(hits.map(({ itemId }) => itemId)),
      structured: {
        hits,
        mode: args.mode,
        degraded: answer.degraded,
        ...(answer.stale ? { stale: true as const } : {}),
      },
    };
  },
});
