import { z } from 'zod';

/** How one memory relates to another. `supersedes` is read from the chain of replacements and never stored as a link. */
export const LINK_TYPES = [
  'supports',
  'contradicts',
  'elaborates',
  'references',
  'derived_from',
  'supersedes',
  'follows',
  'causes',
  'attached_to',
  'related',
] as const;
export const LinkType = z.enum(LINK_TYPES);
export type LinkType = z.infer<typeof LinkType>;

export const ENTITY_TYPES = ['person', 'project', 'concept', 'organization', 'tool', 'topic', 'event'] as const;
export const EntityType = z.enum(ENTITY_TYPES);
export type EntityType = z.infer<typeof EntityType>;

/** Where an edge comes from: read in the text, concluded by a model or an agent, or waiting for a person's review. */
export const EDGE_SOURCE_KINDS = ['extracted', 'inferred', 'ambiguous'] as const;
export const EdgeSourceKind = z.enum(EDGE_SOURCE_KINDS);
export type EdgeSourceKind = z.infer<typeof EdgeSourceKind>;

/** How much of a source's text Cairn keeps: all of it, a summary, its metadata, or a placeholder. */
export const RETENTIONS = ['full', 'hollow', 'metadata', 'dark'] as const;
export const Retention = z.enum(RETENTIONS);
export type Retention = z.infer<typeof Retention>;

/** Confidence in the graph: 0 to 1, two decimals. */
export const GraphConfidence = z.number().min(0).max(1).multipleOf(0.01);
