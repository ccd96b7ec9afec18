import { notFound, reachOf } from '@cairn/access';
import { CONFIRMATION_UNDO_MS, fail, type CommandData, type DomainEvent, type EventData } from '@cairn/contracts';
import { confirmationStatus } from './confirmation-status.js';
import { alreadyDone, decided, type Decidable, type Decision } from './decision.js';
import { resolveFolder } from './engram-resolver.js';
import { slugFor } from './folder-slug.js';
import { visibleFolder } from './folder.decider.js';
import { itemEvents, type SealedItem } from './item.decider.js';
import type { ConfirmationState, WorkspaceState } from './state.js';

/** A waiting text after decryption. */
export interface OpenedMemory {
  readonly suggestedName: string;
  readonly item: SealedItem;
}

/**
 * The decider's view of a `ResolveConfirmation`: the holder of the key decrypts the waiting text and seals it as an
 * item.
 */
export interface Resolving {
  readonly command: CommandData<'confirmation.resolve'>;
  /** The id for a folder to be created. */
  readonly newFolderId: string;
  readonly open: (confirmation: ConfirmationState) => OpenedMemory;
}

type Resolved = EventData<'confirmation.resolved'>;
type Outcome = Pick<Resolved, 'folderId' | 'storedItemId'>;

const NOTHING: Outcome = { folderId: null, storedItemId: null };

const resolved = (confirmationId: string, action: Resolved['action'], outcome = NOTHING): DomainEvent => ({
  type: 'confirmation.resolved',
  data: { confirmationId, action, ...outcome },
});

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

/**
 * A folder of exactly this name may exist by now, even one that the agent does not see: a second one would only
 * confuse.
 */
const created = (state: WorkspaceState, folderId: string, name: string): Target => {
  const resolution = resolveFolder(name, [...state.folders.values()]);
  return resolution.kind === 'exact'
    ? { folderId: resolution.folder.id, events: [] }
    : { folderId, events: [newFolder(state, folderId, name)] };
};

/** The decision, the new folder if there is one, and the item, in one append. */
const stored = (
  state: WorkspaceState,
  { data: { command, newFolderId, open }, principal }: Decidable<Resolving>,
  waiting: ConfirmationState,
  action: 'use' | 'create',
): Decision => {
  if (action === 'use') visibleFolder(state, reachOf(principal), command.folderId ?? '');
  const { suggestedName, item } = open(waiting);
  const { folderId, events } =
    action === 'create'
      ? created(state, newFolderId, command.name ?? suggestedName)
      : { folderId: command.folderId ?? '', events: [] };
  return decided(
    waiting.id,
    resolved(waiting.id, action, { folderId, storedItemId: item.itemId }),
    ...events,
    ...itemEvents(item, folderId, waiting.agentId),
  );
};

const expired = (waiting: ConfirmationState, atMs: number): Decision => {
  const status = confirmationStatus(waiting, atMs);
  if (status === 'erased') return alreadyDone(waiting.id);
  if (status !== 'over') throw fail('input.invalid', 'the time of this confirmation is not over', { field: 'action' });
  return decided(waiting.id, resolved(waiting.id, waiting.restorableUntilMs === null ? 'expire' : 'dismiss'));
};

/** A discarded text is kept for a while, and never longer than it would have waited. */
const discarded = (waiting: ConfirmationState, atMs: number): Decision => {
  const restorableUntil = new Date(Math.min(atMs + CONFIRMATION_UNDO_MS, waiting.expiresAtMs)).toISOString();
  return decided(waiting.id, {
    type: 'confirmation.discarded',
    data: { confirmationId: waiting.id, restorableUntil },
  });
};

const restored = ({ id }: ConfirmationState, isDiscarded: boolean): Decision =>
  isDiscarded ? decided(id, { type: 'confirmation.restored', data: { confirmationId: id } }) : alreadyDone(id);

export const decideResolveConfirmation = (state: WorkspaceState, decidable: Decidable<Resolving>): Decision => {
  const { data, atMs } = decidable;
  const { action, confirmationId } = data.command;
  const waiting = state.confirmations.get(confirmationId);
  if (!waiting) throw notFound('confirmation');
  const status = confirmationStatus(waiting, atMs);
  if (action === 'expire') return expired(waiting, atMs);
  if (action === 'erase')
    return status === 'erased' ? alreadyDone(waiting.id) : decided(waiting.id, resolved(waiting.id, 'dismiss'));
  if (status === 'erased' || status === 'over')
    throw fail('confirmation.closed', 'this confirmation was decided or has expired', { field: 'id' });
  if (action === 'restore') return restored(waiting, status === 'discarded');
  if (status === 'discarded')
    throw fail('confirmation.closed', 'this memory was discarded: restore it first', { field: 'id' });
  return action === 'dismiss' ? discarded(waiting, atMs) : stored(state, decidable, waiting, action);
};
