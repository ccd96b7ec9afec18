import { notFound, readerOf } from '@cairn/access';
import type { DomainEvent } from '@cairn/contracts';
import { decided, type Decidable, type Decision } from './decision.js';
import { itemEvents, type SealedItem } from './item.decider.js';
import { checkStaysInKb } from './placement.decider.js';
import type { WorkspaceState } from './state.js';
import { visibleItem } from './visible-item.js';

/** A file that has been read and sealed, and the log card of the run that made it. */
export interface Attachment {
  readonly item: SealedItem;
  readonly logCardId: string;
  readonly linkId: string;
}

/** An item of another kind looks like one that does not exist: only a log card takes attachments. */
export const decideAttachItem = (
  state: WorkspaceState,
  { data: { item, logCardId, linkId }, principal }: Decidable<Attachment>,
): Decision => {
  const card = visibleItem(state, readerOf(principal, 'mcp'), logCardId, 'logCardId');
  if (card.kind !== 'log-card') throw notFound('item', { field: 'logCardId' });
  checkStaysInKb(principal, item.command.inKb);
  const link = { linkId, fromItemId: item.itemId, toItemId: logCardId, type: 'attached_to', confidence: 1 } as const;
  const attached: DomainEvent = {
    type: 'link.added',
    data: { origin: 'agent', links: [{ ...link, sourceKind: 'extracted' }] },
  };
  return decided(item.itemId, ...itemEvents(item, card.folderId, principal.agentId), attached);
};
