import { z } from 'zod';
import { placed, type Wire } from './answer.js';
import { EntryFields } from './item.js';
import { EF_SEARCH_MAX, KB_SEARCH_LIMIT_MAX, KNOWLEDGE_SEARCH_LIMIT_MAX, QUERY_CHARS_MAX, TAGS_MAX } from './limits.js';
import { defineQuery } from './query-definition.js';
import { text } from './text.js';

export const LegExplanation = z.strictObject({
  leg: z.enum(['vector', 'bm25', 'fulltext', 'title']),
  rank: z.int().nullable().describe('From 1; null where this leg did not return the hit.'),
  rawScore: z.number().nullable(),
  normalizedScore: z.number(),
  weight: z.number(),
  contribution: z.number(),
});
export type LegExplanation = Wire<typeof LegExplanation>;

/** Enough to repeat the calculation by hand: the contributions add up to the hit's score. */
export const Explanation = z
  .strictObject({ fusion: z.string().describe('Name of the fusion method.'), legs: z.array(LegExplanation) })
  .describe('Only with explain: true.');
export type Explanation = Wire<typeof Explanation>;

const explain = { explain: Explanation.exactOptional() };

export const SEARCH_MODES = ['semantic', 'keyword', 'hybrid'] as const;
export const SearchMode = z.enum(SEARCH_MODES);
export type SearchMode = z.infer<typeof SearchMode>;

const state = { degraded: z.boolean(), stale: z.boolean() };

export const ChunkHit = z.object({
  ...placed,
  chunkId: z.string(),
  itemId: z.string(),
  title: z.string(),
  text: z.string(),
  score: z.number(),
  ...explain,
});
export type ChunkHit = Wire<typeof ChunkHit>;

const ChunkSearchAnswer = z.object({ hits: z.array(ChunkHit), ...state });
export type ChunkSearchAnswer = Wire<typeof ChunkSearchAnswer>;

export const SearchChunks = defineQuery(
  'chunks.search',
  z.strictObject({
    query: text(1, QUERY_CHARS_MAX),
    limit: z.int().min(1).max(KB_SEARCH_LIMIT_MAX),
    mode: SearchMode,
    explain: z.boolean(),
  }),
  ChunkSearchAnswer,
);

export const KnowledgeHit = z.object({
  ...placed,
  itemId: z.string(),
  title: z.string(),
  /** The item's text around the first match of the words, or its beginning if nothing matches. */
  text: z.string(),
  /** Whether the words of the query were found in the text or the title; if not, the hit is only near in meaning. */
  hasWords: z.boolean(),
  score: z.number(),
  rawScore: z.number(),
  tags: z.array(z.string()),
  ...EntryFields.shape,
  ...explain,
});
export type KnowledgeHit = Wire<typeof KnowledgeHit>;

const KnowledgeSearchAnswer = z.object({ hits: z.array(KnowledgeHit), ...state });
export type KnowledgeSearchAnswer = Wire<typeof KnowledgeSearchAnswer>;

export const SearchItems = defineQuery(
  'items.search',
  z.strictObject({
    query: text(1, QUERY_CHARS_MAX),
    limit: z.int().min(1).max(KNOWLEDGE_SEARCH_LIMIT_MAX),
    tags: z.array(z.string().max(64)).max(TAGS_MAX),
    includeSuperseded: z.boolean(),
    includeExpired: z.boolean(),
    minScore: z.number().min(0).max(1),
    efSearch: z.int().min(1).max(EF_SEARCH_MAX),
    explain: z.boolean(),
  }),
  KnowledgeSearchAnswer,
);
