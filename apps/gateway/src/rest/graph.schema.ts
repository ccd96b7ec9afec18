import {
  EDGE_SOURCE_KINDS,
  EdgeSourceKind,
  EdgeVerdict,
  EDGES_PER_CALL_MAX,
  ENTITY_QUERY_CHARS_MAX,
  EntityRef,
  EntityType,
  evidenceFields,
  GRAPH_DEPTH_MAX,
  Id,
  ItemDetail,
  ItemMention,
  oneEvidence,
  Position,
  REVIEW_KINDS,
  ReviewKind,
  text,
  Uuid,
} from '@cairn/contracts';
import { z } from 'zod';
import { pageFields } from './common.schema.js';

export const entityFilter = z.strictObject({
  ...pageFields,
  query: text(1, ENTITY_QUERY_CHARS_MAX).optional().describe('Names whose words begin with these words.'),
  type: EntityType.optional(),
});

/** Query parameters are text, so a list is separated by commas. */
const sourceKinds = z
  .string()
  .max(64)
  .transform((list) => [...new Set(list.split(',').map((kind) => kind.trim()))])
  .pipe(z.array(EdgeSourceKind).min(1))
  .optional()
  .describe(`Separated by commas: ${EDGE_SOURCE_KINDS.join(', ')}. All of them when left out.`);

export const graphQuery = z.strictObject({
  entity: text(1, ENTITY_QUERY_CHARS_MAX).describe('Name or id of the entity to start from.'),
  depth: z.int().min(1).max(GRAPH_DEPTH_MAX).default(1),
  minConfidence: z.number().min(0).max(1).default(0.5),
  sourceKinds,
});

export const newEdges = oneEvidence(
  z.strictObject({
    ...evidenceFields,
    edges: evidenceFields.edges.describe(`At most ${EDGES_PER_CALL_MAX}.`),
  }),
);

export const verdict = z.strictObject({ verdict: EdgeVerdict });

export const newMerge = z
  .strictObject({
    aliasId: Uuid.describe('The entity whose name becomes an alias.'),
    canonicalId: Uuid.describe('The entity that keeps its name.'),
  })
  .refine(({ aliasId, canonicalId }) => aliasId !== canonicalId, {
    path: ['aliasId'],
    message: 'must be another entity than canonicalId',
  });

export const reviewFilter = z.strictObject({
  ...pageFields,
  kind: ReviewKind.optional().describe(`One of ${REVIEW_KINDS.join(', ')}; all of them when left out.`),
});

const position = { position: Position };

export const EdgesStatedAnswer = z.object({
  itemId: Id,
  chunkId: Id.describe('The chunk that states the first edge.'),
  edgeIds: z.array(Id).describe('In the order of the request.'),
  ...position,
});

export const EdgeReviewedAnswer = z.object({ id: Id, verdict: EdgeVerdict, ...position });

export const EntitiesMergedAnswer = z.object({ mergeId: Id, ...position });

const node = { hop: z.int().describe('Edges between the start and this.') };

export const GraphAnswer = z.object({
  entity: EntityRef.nullable().describe('null: no such name. candidates then has similar ones.'),
  candidates: z.array(EntityRef).exactOptional(),
  nodes: z.array(EntityRef.extend(node)),
  edges: z.array(
    z.object({
      id: Id,
      from: Id,
      to: Id,
      predicate: z.string(),
      confidence: z.number(),
      sourceKind: EdgeSourceKind,
      reviewed: EdgeVerdict.nullable(),
      ...node,
      evidence: z.array(z.object({ itemId: Id, chunkId: Id, position: z.int() })).describe('The best three.'),
      evidenceCount: z.int(),
    }),
  ),
  truncated: z.boolean().describe('Whether a cap has left out edges or nodes.'),
  stale: z.boolean().describe('Whether the graph has not caught up with your last write.'),
});

/** An item with the entities that it mentions. */
export const ItemWithMentions = ItemDetail.extend({
  mentions: z.array(ItemMention).describe('Entities in its text, as far as the graph has read it.'),
});
