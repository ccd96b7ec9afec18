import {
  cutAtWord,
  plural,
  STATS_GRAPHS_MAX,
  STATS_README_CHARS_MAX,
  STATS_READMES_CHARS_MAX,
  TIERS,
  VECTOR_DIMENSIONS,
  type FolderStats,
} from '@cairn/contracts';
import { z } from 'zod';
import { oneLine } from '../hit-list.js';
import { defineTool } from '../tool.js';

const input = z.strictObject({});

const count = z.int();

const output = z.strictObject({
  cortexPath: z.string().describe('Where the memory is: a name that does not change, not a path on a disk.'),
  graphs: z
    .array(
      z.strictObject({
        name: z.string().describe('Slug of the graph.'),
        tier: z.enum(TIERS),
        sources: count,
        chunks: count,
        estimatedTokens: count.describe("Tokens of all chunks, by Cairn's own counter."),
        readme: z
          .string()
          .optional()
          .describe(
            `What the owner says belongs in the graph: the beginning, at most ${STATS_README_CHARS_MAX} characters, and ` +
              'fewer where many graphs have a readme. Left out where the graph has none.',
          ),
      }),
    )
    .describe(`The graphs that you may see, by name; at most ${STATS_GRAPHS_MAX}. Sensitive ones are not among them.`),
  totalSources: count.describe('Over the listed graphs.'),
  totalChunks: count.describe('Over the listed graphs.'),
  embeddingModel: z.string().describe('The model in use; "unknown" while the embedder is unavailable.'),
  embeddingDimensions: count,
  cortexDbSizeBytes: count.describe(
    'Size of the whole database, which all workspaces share: whole MiB, up to a minute old.',
  ),
});

const readmeOf = ({ readme = '' }: FolderStats): string => readme.trim();

/** The readmes of one answer share a bound, so that many graphs do not fill a model's context. */
const readmeCharsOf = (folders: readonly FolderStats[]): number => {
  const count = folders.filter((folder) => readmeOf(folder) !== '').length;
  return Math.min(STATS_README_CHARS_MAX, Math.floor(STATS_READMES_CHARS_MAX / Math.max(count, 1)));
};

const graphOf = (folder: FolderStats, readmeChars: number) => {
  const { slug, tier, items, chunks, tokens } = folder;
  const readme = readmeOf(folder);
  const counts = { sources: items, chunks, estimatedTokens: tokens };
  return { name: slug, tier, ...counts, ...(readme !== '' && { readme: cutAtWord(readme, readmeChars) }) };
};

type Stats = z.infer<typeof output>;
type Graph = Stats['graphs'][number];

const sumOf = (graphs: readonly Graph[], field: 'sources' | 'chunks'): number =>
  graphs.reduce((sum, graph) => sum + graph[field], 0);

const lineOf = ({ name, tier, sources, chunks, estimatedTokens, readme }: Graph): string => {
  const line = `- ${name} (${tier}): ${plural(sources, 'source')}, ${plural(chunks, 'chunk')}, about ${plural(estimatedTokens, 'token')}`;
  return readme === undefined ? line : `${line}\n  Readme: "${oneLine(readme)}"`;
};

const textOf = (stats: Stats): string =>
  [
    `${stats.cortexPath}: ${plural(stats.totalSources, 'source')}, ${plural(stats.totalChunks, 'chunk')} in ${plural(stats.graphs.length, 'graph')}`,
    ...stats.graphs.map(lineOf),
    `Embedding model: ${stats.embeddingModel}, ${stats.embeddingDimensions} dimensions`,
    `Database: ${stats.cortexDbSizeBytes} bytes`,
  ].join('\n');

export const stats = defineTool({
  name: 'stats',
  title: 'Memory statistics',
  description:
    'The graphs of the memory that you may see, with the readme in which the owner says what belongs there, and ' +
    'statistics: sources, chunks and estimated tokens of each graph, their sums, the embedding model and the size of the ' +
    'database. Call it to choose a graph for recall or remember. Counts what is in the knowledge base, also what has expired or ' +
    'was superseded.',
  when: 'for the names and sizes of the graphs.',
  input,
  output,
  scope: 'memory:read',
  annotations: { readOnlyHint: true, openWorldHint: false },
  handle: async (_, { cairn }) => {
    const found = await cairn.query('stats.get', {});
    const readmeChars = readmeCharsOf(found.folders);
    const graphs = found.folders.map((folder) => graphOf(folder, readmeChars));
    const structured: Stats = {
      cortexPath: `cairn://workspace/${found.workspaceSlug}`,
      graphs,
      totalSources: sumOf(graphs, 'sources'),
      totalChunks: sumOf(graphs, 'chunks'),
      embeddingModel: found.embeddingModel ?? 'unknown',
      embeddingDimensions: found.embeddingDimensions ?? VECTOR_DIMENSIONS,
      cortexDbSizeBytes: found.databaseBytes,
    };
    return { text: textOf(structured), structured };
  },
});
