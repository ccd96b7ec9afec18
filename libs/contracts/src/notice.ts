import { z } from 'zod';
import type { DomainEvent } from './events.js';
import { Uuid } from './text.js';

/** What an open console is told: which thing has changed and where in the log, so that it asks for it. */
export const Notice = z.discriminatedUnion('about', [
  z.strictObject({
    about: z.literal('confirmation'),
    id: Uuid,
    status: z.enum(['pending', 'resolved']),
    position: z.int(),
  }),
  z.strictObject({ about: z.literal('source'), itemId: Uuid, type: z.string(), position: z.int() }),
]);
export type Notice = z.infer<typeof Notice>;

/** What an event is told as; most are of no interest to an open page. */
export const noticeOf = (event: DomainEvent, position: number): Notice | undefined => {
  if (event.type === 'confirmation.requested' || event.type === 'confirmation.resolved') {
    const status = event.type === 'confirmation.requested' ? 'pending' : 'resolved';
    return { about: 'confirmation', id: event.data.confirmationId, status, position };
  }
  // The op that continues a long text says nothing new.
  if (event.type === 'item.extended' || !('itemId' in event.data)) return undefined;
  return { about: 'source', itemId: event.data.itemId, type: event.type, position };
};
