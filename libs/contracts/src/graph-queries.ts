import { z } from 'zod';
import { Id, pageOf, placed, Time, type Wire } from './answer.js';
import { KeyedHash } from './event-definition.js';
import { EdgeVerdict } from './graph-events.js';
import { EdgeSourceKind, EntityType } from './graph-words.js';
import {
  ENTITIES_FOUND_MAX,
  ENTITY_NAME_CHARS_MAX,
  ENTITY_QUERY_CHARS_MAX,
  GRAPH_DEPTH_MAX,
  NEAR_NAMES_MAX,
} from './limits.js';
import { defineQuery, page } from './query-definition.js';
import { Surface } from './surface.js';
import { text, Uuid } from './text.js';

const surface = Surface.default('mcp');
/** Whether the graph is behind the caller's own last write. */
const stale = { stale: z.boolean() };

export const EntityRef = z.object({ id: Id, name: z.string(), type: EntityType });
export type EntityRef = Wire<typeof EntityRef>;

/** The placement of an entity's example mention: an entity exists for a reader if one of its mentions is visible. */
const PlacedRef = EntityRef.extend(placed);
export type PlacedRef = Wire<typeof PlacedRef>;

export const EntityView = EntityRef.extend({
  aliases: z.array(z.string()).describe('Other names that were merged into this one.'),
  mentions: z.int().describe('Chunks that mention it, as far as you may see them; counted up to 1,000 per name.'),
  lastSeen: Time.describe('When the newest item that mentions it was stored.'),
});
export type EntityView = Wire<typeof EntityView>;
const PlacedEntity = EntityView.extend(placed);

export const ListEntities = defineQuery(
  'entities.list',
  z.strictObject({
    ...page,
    query: text(1, ENTITY_QUERY_CHARS_MAX).optional(),
    type: EntityType.optional(),
    surface,
  }),
  pageOf(PlacedEntity),
);

const Evidence = z.object({ ...placed, itemId: Id, chunkId: Id, position: z.int() });
export type EdgeEvidence = Wire<typeof Evidence>;

const edgeFields = {
  id: Id,
  from: Id,
  to: Id,
  predicate: z.string(),
  confidence: z.number(),
  sourceKind: EdgeSourceKind,
  reviewed: EdgeVerdict.nullable(),
  hop: z.int(),
  evidenceCount: z.int(),
};

/** An edge between two nodes of the same answer; its evidence is the best three chunks that state it. */
const WalkedEdge = z.object({ ...edgeFields, evidence: z.array(Evidence) });
export type WalkedEdge = Wire<typeof WalkedEdge>;

export const WalkedNode = PlacedRef.extend({ hop: z.int() });
export type WalkedNode = Wire<typeof WalkedNode>;

const GraphWalk = z.object({
  entity: PlacedRef.nullable(),
  /** Entities with a similar name; only present if the name is unknown. */
  candidates: z.array(PlacedRef).exactOptional(),
  nodes: z.array(WalkedNode),
  edges: z.array(WalkedEdge),
  truncated: z.boolean(),
  /** Edges that a filter left out, counted among those that the caller may see. */
  dropped: z.object({ confidence: z.int(), sourceKind: z.int() }),
  ...stale,
});
export type GraphWalk = Wire<typeof GraphWalk>;

/** By name or by id. An unknown name is not an error: `entity` is null. */
export const WalkGraph = defineQuery(
  'graph.walk',
  z.strictObject({
    entity: text(1, ENTITY_QUERY_CHARS_MAX),
    depth: z.int().min(1).max(GRAPH_DEPTH_MAX),
    minConfidence: z.number().min(0).max(1),
    sourceKinds: z.array(EdgeSourceKind).min(1).max(3),
    surface,
  }),
  GraphWalk,
);

export const CANDIDATE_MATCHES = ['exact', 'alias', 'word', 'prefix', 'spelling'] as const;
export const CandidateMatch = z.enum(CANDIDATE_MATCHES);
export type CandidateMatch = z.infer<typeof CandidateMatch>;

const EntityCandidate = PlacedEntity.extend({
  match: CandidateMatch,
  score: z.number(),
  /** Display names of the folders that mention it. */
  folders: z.array(z.string()),
  neighbours: z.array(z.string()),
  example: z.object({ itemId: Id, snippet: z.string() }),
});
export type EntityCandidate = Wire<typeof EntityCandidate>;

const EntityCandidates = z.object({ candidates: z.array(EntityCandidate), ...stale });
export type EntityCandidates = Wire<typeof EntityCandidates>;

export const EntityHints = z.strictObject({
  type: EntityType.optional(),
  near: z.array(text(1, ENTITY_NAME_CHARS_MAX)).max(NEAR_NAMES_MAX).optional(),
  folderId: Uuid.optional(),
});
export type EntityHints = z.infer<typeof EntityHints>;

export const FindEntities = defineQuery(
  'entities.find',
  z.strictObject({
    text: text(1, ENTITY_QUERY_CHARS_MAX),
    hints: EntityHints.optional(),
    limit: z.int().min(1).max(ENTITIES_FOUND_MAX),
    surface,
  }),
  EntityCandidates,
);

/** Names in the form that the caller sees, with the ids of their entities. */
const ends = {
  subject: z.string(),
  subjectId: Id,
  predicate: z.string(),
  object: z.string(),
  objectId: Id,
};

/** An edge of an entity, as the entity's page shows it. */
export const EntityEdge = z.object({
  id: Id,
  ...ends,
  confidence: z.number(),
  sourceKind: EdgeSourceKind,
  reviewed: EdgeVerdict.nullable(),
});

export const EntityDetail = EntityView.extend({
  edges: z.array(EntityEdge).describe('One hop, in both directions, at most 50.'),
  mentionedIn: z.array(z.object({ itemId: Id, chunkId: Id, title: z.string() })).describe('Newest first, at most 20.'),
});
export type EntityDetail = Wire<typeof EntityDetail>;

const PlacedDetail = EntityDetail.extend({
  ...placed,
  edges: z.array(EntityEdge.extend(placed)),
  mentionedIn: z.array(z.object({ ...placed, itemId: Id, chunkId: Id, title: z.string() })),
});
export type PlacedEntityDetail = Wire<typeof PlacedDetail>;

export const GetEntity = defineQuery('entity.get', z.strictObject({ entityId: Uuid, surface }), PlacedDetail);

export const EdgeView = z.object({
  id: Id,
  ...ends,
  confidence: z.number(),
  sourceKind: EdgeSourceKind,
  reviewed: EdgeVerdict.nullable(),
  evidence: z
    .array(z.object({ itemId: Id, chunkId: Id, position: z.int() }))
    .describe('The chunks that state it; position is that of the op in the log.'),
});
export type EdgeView = Wire<typeof EdgeView>;

const PlacedEdge = EdgeView.extend({ evidence: z.array(Evidence) });
export type PlacedEdge = Wire<typeof PlacedEdge>;

export const GetEdge = defineQuery('edge.get', z.strictObject({ edgeId: Uuid, surface }), PlacedEdge);

/**
 * The chunks that state an edge or suggest a merge, found by their references, in pages: `next` is the `after` of the next
 * page. Answered only for the gateway.
 */
export const LocateEdge = defineQuery(
  'edge.locate',
  z.strictObject({ edgeId: Uuid, after: Uuid.optional() }),
  z.object({ evidence: z.array(z.object({ itemId: Id, chunkId: Id, edgeRef: KeyedHash })), next: Id.optional() }),
);

/** The places where the name of an entity occurs. Answered only for the gateway. */
export const LocateEntity = defineQuery(
  'entity.locate',
  z.strictObject({ entityId: Uuid }),
  z.object({ anchors: z.array(z.object({ itemId: Id, chunkId: Id, name: z.string() })) }),
);

/** An entity in an item, as the item's page shows it. */
export const ItemMention = z.object({ entityId: Id, name: z.string(), type: EntityType });

const ItemMentions = z.object({ mentions: z.array(ItemMention.extend(placed)) });

/** In text order; empty if the caller may not see the item, or if it is not in the knowledge base. */
export const ListItemMentions = defineQuery('item.mentions', z.strictObject({ itemId: Uuid, surface }), ItemMentions);

export const REVIEW_KINDS = ['edge', 'merge', 'conflict'] as const;
export const ReviewKind = z.enum(REVIEW_KINDS);
export type ReviewKind = z.infer<typeof ReviewKind>;

/** An entry that waits for a person. `POST /edges/{id}/review` takes its id, for a suggested merge too. */
export const ReviewEntry = z.object({
  id: Id,
  kind: ReviewKind.describe(
    'edge: a statement that is ambiguous. merge: two names that may be one entity. conflict: two objects where one is expected.',
  ),
  sentence: z.string().describe('What the text says.'),
  itemId: Id,
  chunkId: Id,
  ...ends,
  subject: ends.subject.describe('Of a merge: the name that would become an alias.'),
  predicate: ends.predicate.describe('Of a merge: same_as.'),
  object: ends.object.describe('Of a merge: the name that would stay.'),
  reason: z.string(),
  confidence: z.number().exactOptional(),
});
export type ReviewEntry = Wire<typeof ReviewEntry>;
const PlacedReview = ReviewEntry.extend(placed);
export type PlacedReview = Wire<typeof PlacedReview>;

export const ListReview = defineQuery(
  'review.list',
  z.strictObject({ ...page, kind: ReviewKind.optional() }),
  pageOf(PlacedReview),
);
