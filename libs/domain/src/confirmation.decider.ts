import { fail, type CommandData, type DomainEvent, type EventData } from '@cairn/contracts';
import { alreadyDone, decided, type Decidable, type Decision } from './decision.js';
import { resolveFolder } from './engram-resolver.js';
import { slugFor } from './folder-slug.js';
import { visibleFolder } from './folder.decider.js';
import { itemEvents, type SealedItem } from './item.decider.js';
import type { ConfirmationState, WorkspaceState } from './state.js';

/** A waiting text once it is opened. */
export interface OpenedMemory {
  readonly suggestedName: string;
  readonly item: SealedItem;
}

/** A `ResolveConfirmation` as the decider sees it: whoever has the key opens the waiting text and seals it as an item. */
export interface Resolving {
  readonly command: CommandData<'confirmation.resolve'>;
  /** For a folder that is to be made. */
  readonly newFolderId: string;
  readonly open: (confirmation: ConfirmationState) => OpenedMemory;
}

type Outcome = Pick<EventData<'confirmation.resolved'>, 'folderId' | 'storedItemId'>;

const NOTHING: Outcome = { folderId: null, storedItemId: null };

const resolved = ({ command }: Resolving, outcome = NOTHING): DomainEvent => {
  const { confirmationId, action } = command;
  return { type: 'confirmation.resolved', data: { confirmationId, action, ...outcome } };
};

const newFolder = (state: WorkspaceState, folderId: string, name: string): DomainEvent => {
  const taken = new Set([...state.folders.values()].map(({ slug }) => slug));
  return {
    type: 'folder.created',
    data: {
      folderId,
      slug: slugFor(name, taken),
      name,
      tier: 'personal',
      maxTokensPerRecall: null,
      readme: '',
      isDefault: false,
    },
  };
};

interface Target {
  readonly folderId: string;
  readonly events: readonly DomainEvent[];
}

/** There may be a folder of exactly this name by now, or one that the agent does not see: a twin would help nobody. */
const created = (state: WorkspaceState, folderId: string, name: string): Target => {
  const resolution = resolveFolder(name, [...state.folders.values()]);
  return resolution.kind === 'exact'
    ? { folderId: resolution.folder.id, events: [] }
    : { folderId, events: [newFolder(state, folderId, name)] };
};

/** The decision, the folder where one is made, and the item: one append. */
const stored = (state: WorkspaceState, decidable: Decidable<Resolving>, waiting: ConfirmationState): Decision => {
  const { command, newFolderId, open } = decidable.data;
  const { confirmationId, action, name } = command;
  if (action === 'use') visibleFolder(state, decidable.principal, command.folderId ?? '');
  const { suggestedName, item } = open(waiting);
  const { folderId, events } =
    action === 'create'
      ? created(state, newFolderId, name ?? suggestedName)
      : { folderId: command.folderId ?? '', events: [] };
  return decided(
    confirmationId,
    resolved(decidable.data, { folderId, storedItemId: item.itemId }),
    ...events,
    ...itemEvents(item, folderId, waiting.agentId),
  );
};

export const decideResolveConfirmation = (state: WorkspaceState, decidable: Decidable<Resolving>): Decision => {
  const { data, atMs } = decidable;
  const { command } = data;
  const waiting = state.confirmations.get(command.confirmationId);
  if (!waiting) throw fail('confirmation.not_found', 'there is no such confirmation', { field: 'id' });
  const isOver = waiting.expiresAtMs <= atMs;
  if (command.action === 'expire') {
    if (waiting.sealed === null) return alreadyDone(waiting.id);
    if (!isOver) throw fail('input.invalid', 'the time of this confirmation is not over', { field: 'action' });
    return decided(waiting.id, resolved(data));
  }
  if (isOver || waiting.sealed === null) {
    throw fail('confirmation.closed', 'this confirmation was decided or has expired', { field: 'id' });
  }
  return command.action === 'dismiss' ? decided(waiting.id, resolved(data)) : stored(state, decidable, waiting);
};
