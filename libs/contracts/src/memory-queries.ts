import { z } from 'zod';
import { GRAPHS_PER_RECALL_MAX, NAME_CHARS_MAX, QUERY_CHARS_MAX, RECALL_TOP_K_MAX } from './limits.js';
import type { Tier } from './principal.js';
import type { Explanation } from './queries.js';
import { defineQuery, type Placed } from './query-definition.js';
import { text } from './text.js';

export interface RecalledChunk extends Placed {
  readonly chunkId: string;
  readonly itemId: string;
  /** The folder's slug. */
  readonly graph: string;
  readonly text: string;
  /** The cosine similarity itself. */
  readonly score: number;
  /** The name of the source where it has one, else the item's title. */
  readonly sourceName: string;
  /** Of the item. */
  readonly updatedAt: string;
  readonly tokens: number;
  readonly explain?: Explanation;
}

/** Names in `graphs` that lead to no folder this caller may see, whether or not there is one. */
export interface UnknownGraphs {
  readonly names: readonly string[];
  /** The folders this caller may see, by slug. */
  readonly available: readonly (Placed & { readonly slug: string })[];
}

export interface RecallAnswer {
  readonly results: readonly RecalledChunk[];
  /** Whether a folder's cap has dropped any chunk. */
  readonly truncated: boolean;
  /** Absent when every name leads to a folder. */
  readonly unknownGraphs?: UnknownGraphs;
}

/** Folders by slug or display name. Sensitive ones and those out of scope are answered like unknown ones. */
export const RecallChunks = defineQuery<RecallAnswer>()(
  'chunks.recall',
  z.strictObject({
    query: text(1, QUERY_CHARS_MAX),
    graphs: z.array(text(1, NAME_CHARS_MAX)).min(1).max(GRAPHS_PER_RECALL_MAX).optional(),
    topK: z.int().min(1).max(RECALL_TOP_K_MAX),
    minScore: z.number().min(0).max(1),
    explain: z.boolean(),
  }),
);

/** What a folder holds in the knowledge base. */
export interface FolderStats extends Placed {
  readonly slug: string;
  readonly tier: Tier;
  /**
   * The beginning of what the folder's owner says of it, one character longer than is shown where there is more. Absent
   * in answers of an earlier build.
   */
  readonly readme?: string;
  readonly items: number;
  readonly chunks: number;
  readonly tokens: number;
}

export interface StatsAnswer {
  readonly workspaceSlug: string;
  readonly folders: readonly FolderStats[];
  /** null while the embedder is away. */
  readonly embeddingModel: string | null;
  readonly databaseBytes: number;
}

/** Of the folders that a principal may see through MCP; counted when written, so that the answer takes no longer later. */
export const GetStats = defineQuery<StatsAnswer>()('stats.get', z.strictObject({}));
