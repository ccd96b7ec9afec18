import { z } from 'zod';
import { defineEvent, KeyedHash, Sealed } from './event-definition.js';
import { EdgeSourceKind, EntityType, GraphConfidence } from './graph-words.js';
import { FINDINGS_PER_CHUNK_MAX, MERGE_ANCHORS_MAX } from './limits.js';
import { GraphOrigin } from './link-events.js';
import { Uuid } from './text.js';

/** A name that occurs in a chunk, or that was given for it. */
export const ObservedMention = z.strictObject({
  name: z.string(),
  type: EntityType,
  typeConfidence: GraphConfidence,
  confidence: GraphConfidence,
  /** Offsets in the chunk's text, in UTF-16 units; null for a name that does not occur in it. */
  start: z.int().min(0).nullable(),
  end: z.int().min(0).nullable(),
});
export type ObservedMention = z.infer<typeof ObservedMention>;

/** A relation between two names. Both ends are among the mentions of the same findings. */
export const ObservedEdge = z.strictObject({
  subject: z.string(),
  predicate: z.string(),
  object: z.string(),
  confidence: GraphConfidence,
  sourceKind: EdgeSourceKind,
  negated: z.boolean(),
  validFrom: z.string().optional(),
  validTo: z.string().optional(),
});
export type ObservedEdge = z.infer<typeof ObservedEdge>;

/** What `findings` of `edge.observed` seals under the chunk's key. */
export const ObservedFindings = z.strictObject({
  mentions: z.array(ObservedMention).max(2 * FINDINGS_PER_CHUNK_MAX),
  edges: z.array(ObservedEdge).max(FINDINGS_PER_CHUNK_MAX),
});
export type ObservedFindings = z.infer<typeof ObservedFindings>;

/**
 * Statements that a person, an agent or a model attributes to a chunk. They are valid while the chunk's text is
 * unchanged. Findings of rules are derived from the text and never become an op.
 */
export const EdgeObserved = defineEvent(
  'edge.observed',
  1,
  'graph_observe',
  z.strictObject({
    itemId: Uuid,
    chunkId: Uuid,
    folderId: Uuid,
    /** The hash of the text that the statement refers to. */
    textHash: KeyedHash,
    origin: GraphOrigin,
    /** The id of the model, if a model made the statement. */
    extractor: z.string().nullable(),
    findings: Sealed,
  }),
);

export const EdgeVerdict = z.enum(['confirmed', 'rejected']);
export type EdgeVerdict = z.infer<typeof EdgeVerdict>;

/**
 * A person's verdict on a statement of one chunk. The reference is a hash under the chunk's key, so it becomes useless
 * when the chunk is forgotten.
 */
export const EdgeReviewed = defineEvent(
  'edge.reviewed',
  1,
  'graph_review',
  z.strictObject({ itemId: Uuid, chunkId: Uuid, edgeRef: KeyedHash, verdict: EdgeVerdict }),
);

/** A place where a name of a merge occurs. The name is sealed under the key of that chunk. */
export const MergeAnchor = z.strictObject({ itemId: Uuid, chunkId: Uuid, name: Sealed });
export type MergeAnchor = z.infer<typeof MergeAnchor>;

const anchors = z.array(MergeAnchor).min(1).max(MERGE_ANCHORS_MAX);

/** Two names become one entity, for readers that see an anchor of both. */
export const EntityMerged = defineEvent(
  'entity.merged',
  1,
  'graph_merge',
  z.strictObject({ mergeId: Uuid, alias: anchors, canonical: anchors }),
);

export const EntitySplit = defineEvent('entity.split', 1, 'graph_split', z.strictObject({ mergeId: Uuid }));
