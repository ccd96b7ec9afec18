import { z } from 'zod';
import { placed, type Wire } from './answer.js';
import { GRAPHS_PER_RECALL_MAX, NAME_CHARS_MAX, QUERY_CHARS_MAX, RECALL_TOP_K_MAX } from './limits.js';
import { Tier } from './principal.js';
import { defineQuery } from './query-definition.js';
import { Explanation } from './search-queries.js';
import { text } from './text.js';

export const RecalledChunk = z.object({
  ...placed,
  chunkId: z.string(),
  itemId: z.string(),
  /** The folder's slug. */
  graph: z.string(),
  text: z.string(),
  /** The cosine similarity itself. */
  score: z.number(),
  /** The name of the source if it has one, or else the item's title. */
  sourceName: z.string(),
  /** The update time of the item. */
  updatedAt: z.string(),
  tokens: z.int(),
  explain: Explanation.exactOptional(),
});
export type RecalledChunk = Wire<typeof RecalledChunk>;

/** Names in `graphs` that match no folder visible to the caller, whether or not one exists. */
const UnknownGraphs = z.object({
  names: z.array(z.string()),
  /** The folders that this caller may see, by slug. */
  available: z.array(z.object({ ...placed, slug: z.string() })),
});
export type UnknownGraphs = Wire<typeof UnknownGraphs>;

const RecallAnswer = z.object({
  results: z.array(RecalledChunk),
  /** Whether a folder's cap has dropped any chunk. */
  truncated: z.boolean(),
  /** Absent if every name matches a folder. */
  unknownGraphs: UnknownGraphs.exactOptional(),
});
export type RecallAnswer = Wire<typeof RecallAnswer>;

/**
 * Folders are given by slug or display name. Sensitive folders and those out of scope are treated like unknown ones.
 */
export const RecallChunks = defineQuery(
  'chunks.recall',
  z.strictObject({
    query: text(1, QUERY_CHARS_MAX),
    graphs: z.array(text(1, NAME_CHARS_MAX)).min(1).max(GRAPHS_PER_RECALL_MAX).optional(),
    topK: z.int().min(1).max(RECALL_TOP_K_MAX),
    minScore: z.number().min(0).max(1),
    explain: z.boolean(),
  }),
  RecallAnswer,
);

/** The contents of a folder in the knowledge base. */
const FolderStats = z.object({
  ...placed,
  slug: z.string(),
  tier: Tier,
  /**
   * The beginning of the folder's readme, one character longer than the shown part if the readme continues. Absent in
   * answers of an earlier build.
   */
  readme: z.string().exactOptional(),
  items: z.int(),
  chunks: z.int(),
  tokens: z.int(),
});
export type FolderStats = Wire<typeof FolderStats>;

const StatsAnswer = z.object({
  workspaceSlug: z.string(),
  folders: z.array(FolderStats),
  /** null while the embedder is unavailable. */
  embeddingModel: z.string().nullable(),
  embeddingDimensions: z.int().nullable(),
  databaseBytes: z.number(),
});
export type StatsAnswer = Wire<typeof StatsAnswer>;

/**
 * The folders that a principal may see through MCP. Writes update the counts, so the size of the library does not
 * matter.
 */
export const GetStats = defineQuery('stats.get', z.strictObject({}), StatsAnswer);
