import { z } from 'zod';
import { Position } from './answer.js';
import { defineCommand } from './command-definition.js';
import { KeyedHash } from './event-definition.js';
import { EdgeVerdict } from './graph-events.js';
import { EdgeSourceKind, EntityType, GraphConfidence } from './graph-words.js';
import {
  EDGES_PER_CALL_MAX,
  ENTITY_NAME_CHARS_MAX,
  EVIDENCE_TEXT_CHARS_MAX,
  MERGE_ANCHORS_MAX,
  PREDICATE_CHARS_MAX,
  REVIEWED_TOGETHER_MAX,
} from './limits.js';
import { Surface } from './surface.js';
import { DayOrTime, filled, text, Uuid } from './text.js';

/** Words of letters and digits, joined by underscores: "Works at" becomes `works_at`. */
const Predicate = filled(PREDICATE_CHARS_MAX)
  .overwrite((value) =>
    value
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/gu, '_'),
  )
  .refine((value) => /^[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)*$/u.test(value), {
    message: 'must be words of letters and digits, such as works_at',
  });

/** One relation that a chunk states, as the caller gives it. */
export const NewEdge = z.strictObject({
  subject: filled(ENTITY_NAME_CHARS_MAX),
  predicate: Predicate,
  object: filled(ENTITY_NAME_CHARS_MAX),
  subjectType: EntityType.optional(),
  objectType: EntityType.optional(),
  confidence: GraphConfidence.optional().describe(
    '1 when left out by an admin, else 0.8. An agent gives at most 0.95.',
  ),
  sourceKind: EdgeSourceKind.optional().describe('extracted when left out by an admin, else inferred.'),
  negated: z.boolean().optional().describe('true: the text says that this is not so.'),
  validFrom: DayOrTime.optional(),
  validTo: DayOrTime.optional(),
});
export type NewEdge = z.infer<typeof NewEdge>;

export const NewEdges = z.array(NewEdge).min(1).max(EDGES_PER_CALL_MAX);

/** The evidence is an existing chunk, or a text that becomes an item. */
export const evidenceFields = {
  chunkId: Uuid.optional().describe('The chunk that states the edges. Give this or text.'),
  text: filled(EVIDENCE_TEXT_CHARS_MAX).optional().describe('A text that states the edges. It is stored as an item.'),
  folderId: Uuid.optional().describe('Only with text: where its item is stored.'),
  edges: NewEdges,
};

type Given = string | undefined;

export const oneEvidence = <
  S extends z.ZodType<{ readonly chunkId?: Given; readonly text?: Given; readonly folderId?: Given }>,
>(
  schema: S,
): S =>
  schema
    .refine(({ chunkId, text: given }) => (chunkId === undefined) !== (given === undefined), {
      path: ['chunkId'],
      message: 'must be given, or text instead of it, and not both',
    })
    .refine(({ chunkId, folderId }) => chunkId === undefined || folderId === undefined, {
      path: ['folderId'],
      message: 'must be left out when chunkId is given',
    });

export const ObserveEdges = defineCommand(
  'edge.observe',
  oneEvidence(z.strictObject({ ...evidenceFields, surface: Surface.default('mcp') })),
  z.strictObject({ itemId: Uuid, chunkId: Uuid, edgeIds: z.array(Uuid), position: Position }),
);

/** The gateway asks search which chunks state the edge; each of them gets the verdict. */
export const ReviewEdge = defineCommand(
  'edge.review',
  z.strictObject({
    edgeId: Uuid,
    evidence: z
      .array(z.strictObject({ itemId: Uuid, chunkId: Uuid, edgeRef: KeyedHash }))
      .min(1)
      .max(REVIEWED_TOGETHER_MAX),
    verdict: EdgeVerdict,
  }),
  z.strictObject({ id: Uuid, verdict: EdgeVerdict, position: Position }),
);

const places = z
  .array(z.strictObject({ itemId: Uuid, chunkId: Uuid }))
  .min(1)
  .max(MERGE_ANCHORS_MAX);
const names = z.array(text(1, ENTITY_NAME_CHARS_MAX)).min(1).max(MERGE_ANCHORS_MAX);

/** The gateway asks search where the two names stand. A repeat comes with the same id. */
export const MergeEntities = defineCommand(
  'entity.merge',
  z
    .strictObject({
      mergeId: Uuid,
      alias: places,
      canonical: places,
      /** As they stand there, in the same order. */
      names: z.strictObject({ alias: names, canonical: names }),
    })
    .refine(
      ({ alias, canonical, names: given }) =>
        alias.length === given.alias.length && canonical.length === given.canonical.length,
      { path: ['names'], message: 'must have a name for each place' },
    ),
  z.strictObject({ mergeId: Uuid, position: Position }),
);

export const SplitEntities = defineCommand(
  'entity.split',
  z.strictObject({ mergeId: Uuid }),
  z.strictObject({ mergeId: Uuid, position: Position }),
);
