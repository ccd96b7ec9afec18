import { z } from 'zod';
import { oneOf } from './issue-words.js';

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

const OFFERED_LINK_TYPES = LINK_TYPES.filter((type) => type !== 'supersedes');

/** The type of a link to add. `supersedes` is not offered, but accepted here: the domain refuses it with a reason. */
export const NewLinkType = z
  .string()
  .refine((type) => (LINK_TYPES as readonly string[]).includes(type), {
    message: oneOf(OFFERED_LINK_TYPES),
    params: { limit: OFFERED_LINK_TYPES },
  })
  .pipe(LinkType)
  .meta({ enum: OFFERED_LINK_TYPES });

export const ENTITY_TYPES = ['person', 'project', 'concept', 'organization', 'tool', 'topic', 'event'] as const;
export const EntityType = z.enum(ENTITY_TYPES);
export type EntityType = z.infer<typeof EntityType>;

/** The source of an edge: read in the text, inferred by a model or an agent, or waiting for a person's review. */
export const EDGE_SOURCE_KINDS = ['extracted', 'inferred', 'ambiguous'] as const;
export const EdgeSourceKind = z.enum(EDGE_SOURCE_KINDS);
export type EdgeSourceKind = z.infer<typeof EdgeSourceKind>;

/** How much of a source's text Cairn keeps: all of it, a summary, its metadata, or a placeholder. */
export const RETENTIONS = ['full', 'hollow', 'metadata', 'dark'] as const;
export const Retention = z.enum(RETENTIONS);
export type Retention = z.infer<typeof Retention>;

/** Confidence in the graph: 0 to 1, two decimals. */
export const GraphConfidence = z.number().min(0).max(1).multipleOf(0.01);
