import { z } from 'zod';
import { Id, pageOf, placed, type Wire } from './answer.js';
import { EdgeSourceKind, LINK_TYPES, LinkType } from './graph-words.js';
import { WALK_ANCHORS_MAX, WALK_DEPTH_MAX, WALK_LIMIT_MAX } from './limits.js';
import { defineQuery, page } from './query-definition.js';
import { Surface } from './surface.js';
import { Uuid } from './text.js';

export const LinkView = z.object({
  id: Id.describe('The same for the same pair and type.'),
  fromItemId: Id,
  toItemId: Id,
  type: LinkType,
  confidence: z.number(),
  sourceKind: EdgeSourceKind.describe('extracted: stated by a person, or read from the text of the item.'),
  direction: z.enum(['out', 'in']).describe('out: the link begins at this item.'),
});
export type LinkView = Wire<typeof LinkView>;

/** Carries the placement of the link's other end to the gateway. */
const PlacedLink = LinkView.extend(placed);

/** Links of an item to items that the caller may see too. */
export const ListLinks = defineQuery(
  'links.list',
  z.strictObject({ ...page, itemId: Uuid, surface: Surface.default('mcp') }),
  pageOf(PlacedLink),
);

export const WALK_MODES = ['pagerank', 'shortest_path', 'neighbours'] as const;
export const WalkMode = z.enum(WALK_MODES);
export type WalkMode = z.infer<typeof WalkMode>;

/** Statistics of a walk. `iter` is 0 if nothing was iterated. */
export const WalkTrace = z.object({
  mode: WalkMode,
  iter: z.int(),
  converged: z.boolean(),
  timed_out: z.literal(true).exactOptional(),
  fallback: z.literal('bfs').exactOptional(),
  nodes: z.int(),
  links: z.int(),
});
export type WalkTrace = Wire<typeof WalkTrace>;

/** How a memory was reached: by a link from a memory that is one hop nearer. */
export const WalkVia = z.object({ from: Id, type: LinkType, confidence: z.number() });

export const WalkedMemory = z.object({
  ...placed,
  itemId: z.string(),
  title: z.string(),
  score: z.number(),
  hop: z.int(),
  superseded: z.boolean(),
  /** Whether the item's own text is not stored in full, or all of its sources are gone. */
  sourcePurged: z.boolean(),
  via: z.array(WalkVia),
});
export type WalkedMemory = Wire<typeof WalkedMemory>;

/** A walk over links between current items of the knowledge base that the caller may see. */
export const WalkLinks = defineQuery(
  'links.walk',
  z.strictObject({
    anchor: z.array(Uuid).min(1).max(WALK_ANCHORS_MAX),
    mode: WalkMode,
    depth: z.int().min(1).max(WALK_DEPTH_MAX),
    linkTypes: z.array(LinkType).min(1).max(LINK_TYPES.length),
    minConfidence: z.number().min(0).max(1),
    limit: z.int().min(1).max(WALK_LIMIT_MAX),
  }),
  z.object({ memories: z.array(WalkedMemory), trace: WalkTrace, stale: z.boolean() }),
);
