import {
  Explanation,
  GRAPHS_PER_RECALL_MAX,
  NAME_CHARS_MAX,
  plural,
  QUERY_CHARS_MAX,
  RECALL_MIN_SCORE_DEFAULT,
  RECALL_TOP_K_DEFAULT,
  RECALL_TOP_K_MAX,
  text,
  type RecallAnswer,
  type RecalledChunk,
  type UnknownGraphs,
} from '@cairn/contracts';
import { z } from 'zod';
import { countArgument } from '../count-argument.js';
import { explainArgument } from '../explain-argument.js';
import { fenced } from '../fence.js';
import { oneLine, twoDecimals } from '../hit-list.js';
import { references } from '../references.js';
import { defineTool } from '../tool.js';

const input = z.strictObject({
  query: text(1, QUERY_CHARS_MAX).describe('Natural-language query or topic to search for.'),
  graphs: z
    .array(text(1, NAME_CHARS_MAX))
    .min(1)
    .max(GRAPHS_PER_RECALL_MAX)
    .optional()
    .describe(
      'Only chunks of these graphs, by slug or display name. Left out: all accessible graphs. A name that leads to none ' +
        'is reported in unknownGraphs. stats lists the graphs with their readmes.',
    ),
  topK: countArgument(RECALL_TOP_K_MAX, RECALL_TOP_K_DEFAULT, 'Maximum number of chunks to return.'),
  minScore: z
    .number()
    .min(0)
    .max(1)
    .default(RECALL_MIN_SCORE_DEFAULT)
    .describe('Minimum cosine similarity; what is below is left out before topK counts.'),
  explain: explainArgument,
});

const output = z.strictObject({
  results: z
    .array(
      z.strictObject({
        chunkId: z.string(),
        sourceId: z.string().describe('The item that the chunk is part of; get_item takes it as item_id.'),
        graph: z.string().describe('Slug of the graph.'),
        text: z.string().describe('The whole chunk.'),
        score: z.number().describe('Cosine similarity.'),
        sourceName: z.string(),
        updatedAt: z.string().describe('When the source was last changed: ISO 8601, UTC.'),
        explain: Explanation.exactOptional(),
      }),
    )
    .describe('Most similar first.'),
  totalTokens: z.int().describe("Tokens of all texts returned, by Cairn's own counter."),
  truncated: z
    .boolean()
    .describe("True when a graph's cap of tokens per recall has dropped chunks that scored lower than those returned."),
  unknownGraphs: z
    .array(z.string())
    .optional()
    .describe('Only when a name in graphs is not that of a graph you may see: those names.'),
  availableGraphs: z
    .array(z.string())
    .optional()
    .describe(`Only beside unknownGraphs: slugs of the graphs you may see, at most ${GRAPHS_PER_RECALL_MAX}.`),
});

const resultOf = ({ itemId, folderId: _, tokens: __, ...shown }: RecalledChunk) => ({ ...shown, sourceId: itemId });

const passageOf = ({ score, graph, sourceName, text: body }: RecalledChunk, index: number): string =>
  `${index + 1}. (${twoDecimals(score)}) ${oneLine(sourceName) || '(untitled)'}, graph ${graph}\n${body}`;

const NOTHING = 'Nothing that is similar enough was found. Try other words, or a lower minScore.';
const REFERENCES_HEAD =
  'For a chunk above, correct and forget take its chunkId; forget takes its sourceId to remove the whole source, and ' +
  'get_item takes that as item_id:';
const TRUNCATED = 'Further chunks were left out by the cap of their graph.';
const ALL_CAPPED =
  'What was found is left out by the cap of tokens per recall that its graph has; its owner can raise it.';

const slugsOf = ({ available }: UnknownGraphs): string[] => available.map(({ slug }) => slug);

/** The same message for a graph that does not exist and for one that this caller may not see. */
const unknownNote = (unknown: UnknownGraphs): string => {
  const names = unknown.names.map((name) => `"${oneLine(name)}"`).join(', ');
  return `No graph you may see is named ${names}. Available graphs: ${slugsOf(unknown).join(', ') || 'none'}.`;
};

const nothingFound = (
  { truncated, unknownGraphs }: RecallAnswer,
  graphs: readonly string[] = [],
): readonly string[] => {
  if (truncated) return [ALL_CAPPED];
  const isAllUnknown = unknownGraphs !== undefined && graphs.every((name) => unknownGraphs.names.includes(name));
  return isAllUnknown ? [] : [NOTHING];
};

const textOf = (answer: RecallAnswer, graphs?: readonly string[]): string => {
  const { results, truncated, unknownGraphs } = answer;
  const unknown = unknownGraphs ? [unknownNote(unknownGraphs)] : [];
  if (results.length === 0) return [...unknown, ...nothingFound(answer, graphs)].join('\n\n');
  const notes = [...unknown, ...(truncated ? [TRUNCATED] : [])];
  const head = `${plural(results.length, 'chunk')}, most similar first.`;
  return [fenced(head, results.map(passageOf).join('\n\n')), ...notes].join('\n\n');
};

const answerOf = (answer: RecallAnswer, graphs?: readonly string[]) => {
  const { results, truncated, unknownGraphs } = answer;
  return {
    text: textOf(answer, graphs),
    ...references(
      REFERENCES_HEAD,
      results.map(({ chunkId, itemId }) => `chunkId ${chunkId}, sourceId ${itemId}`),
    ),
    structured: {
      results: results.map(resultOf),
      totalTokens: results.reduce((sum, { tokens }) => sum + tokens, 0),
      truncated,
      ...(unknownGraphs && { unknownGraphs: unknownGraphs.names, availableGraphs: slugsOf(unknownGraphs) }),
    },
  };
};

export const recall = defineTool({
  name: 'recall',
  title: 'Recall',
  description:
    'Semantic search over the memory: returns the chunks that are most similar in meaning to a query, whole and with ' +
    'their cosine similarity, best first. Each graph gives at most its cap of tokens. Chunks of sensitive graphs are ' +
    'never included, nor what was superseded or has expired.',
  when: 'for whole passages by meaning alone, in all graphs or in those you name; gives the ids to correct or forget one.',
  input,
  output,
  scope: 'memory:read',
  annotations: { readOnlyHint: true, openWorldHint: false },
  handle: async (args, { cairn }) => answerOf(await cairn.query('chunks.recall', args), args.graphs),
});
