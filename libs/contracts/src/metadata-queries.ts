import { z } from 'zod';
import { Id, placed, Time, type Wire } from './answer.js';
import { ItemKind, ItemSummary } from './item.js';
import {
  ENTITY_QUERY_CHARS_MAX,
  METADATA_LIMIT_MAX,
  QUERY_CHARS_MAX,
  SEMANTIC_K_MAX,
  SOURCE_NAME_CHARS_MAX,
  TAG_CHARS_MAX,
  TAGS_MAX,
} from './limits.js';
import { defineQuery } from './query-definition.js';
import { IsoTime, text, Uuid } from './text.js';

/** The origin of a hit: the source of its item, who stored it, and the op that did. */
export const Provenance = z.object({
  source: ItemSummary.shape.source,
  folderName: z.string(),
  agentId: z.string(),
  createdAt: Time,
  position: z.int(),
});
export type Provenance = Wire<typeof Provenance>;

export const SemanticHit = z.object({
  ...placed,
  chunkId: Id,
  itemId: Id,
  title: z.string(),
  text: z.string(),
  similarity: z.number().describe('The cosine of the two vectors.'),
  provenance: Provenance,
  meshUri: z.string().nullable().describe('Where its text can be fetched; null of an item that has all of it.'),
});
export type SemanticHit = Wire<typeof SemanticHit>;

const SemanticAnswer = z.object({
  hits: z.array(SemanticHit),
  model: z.string(),
  best: z.number().nullable().describe('The highest similarity, also where it is below the wanted one.'),
  stale: z.boolean(),
});
export type SemanticAnswer = Wire<typeof SemanticAnswer>;

/** Chunks near the query in meaning, by cosine alone. Fails if the embedder is unavailable. */
export const SearchSemantic = defineQuery(
  'chunks.semantic',
  z.strictObject({
    query: text(1, QUERY_CHARS_MAX),
    limit: z.int().min(1).max(SEMANTIC_K_MAX),
    minSimilarity: z.number().min(0).max(1),
  }),
  SemanticAnswer,
);

/** Filters; each one narrows the answer. */
export const itemFilterFields = {
  /** Items that mention this entity. */
  entityName: text(1, ENTITY_QUERY_CHARS_MAX).optional(),
  folderId: Uuid.optional(),
  /** Inclusive. */
  from: IsoTime.optional(),
  /** Exclusive. */
  to: IsoTime.optional(),
  /** An item must have all of them. */
  tags: z.array(text(1, TAG_CHARS_MAX)).min(1).max(TAGS_MAX).optional(),
  kind: ItemKind.optional(),
  /** The kind of the source, or its name without regard to case. */
  source: text(1, SOURCE_NAME_CHARS_MAX).optional(),
};

export const ItemFilter = z.strictObject(itemFilterFields);
export type ItemFilter = Wire<typeof ItemFilter>;

const QueriedItem = z.object({
  ...placed,
  id: Id,
  title: z.string(),
  inKb: z.boolean(),
  kind: ItemKind,
  tags: z.array(z.string()),
  source: ItemSummary.shape.source,
  superseded: z.boolean(),
  createdAt: Time,
});
export type QueriedItem = Wire<typeof QueriedItem>;

const ItemQueryAnswer = z.object({
  items: z.array(QueriedItem).describe('Newest first.'),
  total: z.int().describe('Matching items, counted up to 1,000.'),
  truncated: z.boolean().describe('Whether items were left out because too many had to be opened.'),
  matched: z
    .record(z.string(), z.int())
    .describe('Where nothing matches: how many items each filter alone has, counted up to 1,000.'),
});
export type ItemQueryAnswer = Wire<typeof ItemQueryAnswer>;

export const QueryItems = defineQuery(
  'items.query',
  z.strictObject({ ...itemFilterFields, limit: z.int().min(1).max(METADATA_LIMIT_MAX) }),
  ItemQueryAnswer,
);
