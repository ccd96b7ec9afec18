import { z } from 'zod';
import { Position } from './answer.js';
import type { DomainEvent } from './events.js';
import { BATCH_MESSAGES_MAX } from './limits.js';
import { Uuid } from './text.js';
import { ResolvedToken } from './token.js';

/** A notice to an open console: what has changed and its position in the log. The console then loads it. */
export const Notice = z.discriminatedUnion('about', [
  z.strictObject({
    about: z.literal('confirmation'),
    id: Uuid,
    status: z.enum(['pending', 'discarded', 'resolved']),
    position: z.int(),
  }),
  z.strictObject({ about: z.literal('server'), id: Uuid, type: z.string(), position: z.int() }),
  z.strictObject({ about: z.literal('source'), itemId: Uuid, type: z.string(), position: z.int() }),
]);
export type Notice = z.infer<typeof Notice>;

const CONFIRMATION_STATUS = {
  'confirmation.requested': 'pending',
  'confirmation.discarded': 'discarded',
  'confirmation.restored': 'pending',
  'confirmation.resolved': 'resolved',
} as const;

const isOfConfirmation = (
  event: DomainEvent,
): event is Extract<DomainEvent, { type: keyof typeof CONFIRMATION_STATUS }> => event.type in CONFIRMATION_STATUS;

/** The notice for an event; most events are of no interest to an open page. */
export const noticeOf = (event: DomainEvent, position: number): Notice | undefined => {
  if (isOfConfirmation(event)) {
    const status = CONFIRMATION_STATUS[event.type];
    return { about: 'confirmation', id: event.data.confirmationId, status, position };
  }
  if ('serverId' in event.data) return { about: 'server', id: event.data.serverId, type: event.type, position };
  // An op that continues a long text adds nothing to the notice.
  if (event.type === 'item.extended' || !('itemId' in event.data)) return undefined;
  return { about: 'source', itemId: event.data.itemId, type: event.type, position };
};

/** From one gateway to the others: the position of a token's latest write, and the gateway it went through. */
export const TokenWrote = z.object({ tokenId: Uuid, position: Position, replicaId: Uuid });
export type TokenWrote = z.infer<typeof TokenWrote>;

/**
 * From the gateway that got a message to the one that holds its SSE stream. The sender has authenticated the caller and
 * checked the message.
 */
export const PostedToStream = z.object({
  streamId: Uuid,
  caller: ResolvedToken.omit({ expiresAt: true }).extend({ correlationId: z.string(), takesLinks: z.boolean() }),
  messages: z.array(z.record(z.string(), z.unknown())).max(BATCH_MESSAGES_MAX),
});

/** From the ingest that applies ops to the live read models, to the others: how far a projection is. */
export const Applied = z.object({ projection: z.string(), position: Position });
export type Applied = z.infer<typeof Applied>;

/** From an ingest to every gateway. */
export const IngestAlive = z.object({ replicaId: Uuid, isLeaving: z.boolean() });
export type IngestAlive = z.infer<typeof IngestAlive>;

/**
 * From an ingest that would replace the read models: the columns of the new ones, as `library.items.title`. `isImminent`
 * is false while other ingests still serve the old ones, and only searches are asked.
 */
export const ReadModelsReplacing = z.object({ columns: z.array(z.string()), isImminent: z.boolean() });
export type ReadModelsReplacing = z.infer<typeof ReadModelsReplacing>;
