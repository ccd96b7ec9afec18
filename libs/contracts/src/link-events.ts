import { z } from 'zod';
import { defineEvent } from './event-definition.js';
import { EdgeSourceKind, GraphConfidence, LinkType } from './graph-words.js';
import { LINKS_PER_CALL_MAX } from './limits.js';
import { Uuid } from './text.js';

/** The author of a statement about the graph. */
export const GraphOrigin = z.enum(['human', 'agent', 'model']);
export type GraphOrigin = z.infer<typeof GraphOrigin>;

/** A typed link between two memories: ids and numbers only, so it needs no key. */
export const StoredLink = z.strictObject({
  /**
   * Derived from workspace, both ends and type, so that the same link has the same id for every caller that adds it
   * (ADR 0084).
   */
  linkId: Uuid,
  fromItemId: Uuid,
  toItemId: Uuid,
  type: LinkType,
  confidence: GraphConfidence,
  sourceKind: EdgeSourceKind,
});
export type StoredLink = z.infer<typeof StoredLink>;

export const LinkAdded = defineEvent(
  'link.added',
  1,
  'link_add',
  z.strictObject({ origin: GraphOrigin, links: z.array(StoredLink).min(1).max(LINKS_PER_CALL_MAX) }),
);

export const LinkRemoved = defineEvent(
  'link.removed',
  1,
  'link_remove',
  z.strictObject({ linkIds: z.array(Uuid).min(1).max(LINKS_PER_CALL_MAX) }),
);
