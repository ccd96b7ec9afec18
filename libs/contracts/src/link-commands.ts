import { z } from 'zod';
import { Position } from './answer.js';
import { defineCommand } from './command-definition.js';
import { GraphConfidence, NewLinkType } from './graph-words.js';
import { LINKS_PER_CALL_MAX } from './limits.js';
import { Surface } from './surface.js';
import { Uuid } from './text.js';

export const NewLink = z.strictObject({
  fromItemId: Uuid,
  toItemId: Uuid,
  type: NewLinkType,
  confidence: GraphConfidence,
});
export type NewLink = z.infer<typeof NewLink>;

/** For a link that already exists, returns its id; the link keeps its confidence. */
export const AddLinks = defineCommand(
  'link.add',
  z.strictObject({ links: z.array(NewLink).min(1).max(LINKS_PER_CALL_MAX), surface: Surface }),
  z.strictObject({ linkIds: z.array(Uuid), position: Position }),
);

export const RemoveLink = defineCommand(
  'link.remove',
  z.strictObject({ linkId: Uuid, surface: Surface }),
  z.strictObject({ linkId: Uuid, position: Position }),
);
