import { noticeOf, noticeSubject, type DomainEvent } from '@cairn/contracts';
import type { NatsConnection } from '@cairn/messaging';

/** Gateways with open streams of the workspace read again; a lost message only delays that. */
export const notifyGateways = (
  nats: NatsConnection,
  workspaceId: string,
  events: readonly DomainEvent[],
  position: number,
): void => {
  if (nats.isClosed()) return;
  const first = position - events.length + 1;
  for (const [i, event] of events.entries()) {
    const notice = noticeOf(event, first + i);
    if (notice) nats.publish(noticeSubject(workspaceId), JSON.stringify(notice));
  }
};
