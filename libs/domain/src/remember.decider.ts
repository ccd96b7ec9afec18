import { isSensitive, listsFolder, reachOf } from '@cairn/access';
import {
  CONFIRMATION_LIFE_MS,
  CONFIRMATIONS_PENDING_MAX,
  fail,
  type ConfirmationReason,
  type MemoryKind,
  type Principal,
  type WaitingText,
} from '@cairn/contracts';
import { confirmationStatus } from './confirmation-status.js';
import { alreadyDone, decided, type Decidable, type Decision } from './decision.js';
import { resolveFolder, type FolderCandidate } from './engram-resolver.js';
import { fallbackFolder, itemEvents, type SealedItem } from './item.decider.js';
import type { FolderState, WorkspaceState } from './state.js';

/** The decider's view of a `RememberItem`: already sealed as an item, and ready to be sealed as a waiting text. */
export interface Memory {
  readonly item: SealedItem;
  /** Hash of the text and its place: an agent that tries again with another label sends nothing new. */
  readonly payloadHash: string;
  readonly kind: MemoryKind;
  readonly slug?: string | undefined;
  readonly name?: string | undefined;
  readonly confirmationId: string;
  readonly sealWaiting: (candidates: WaitingText['candidates']) => string;
}

/** Where the memory was stored, or the question for a person. */
export type Remembered = Decision &
  (
    | { readonly outcome: 'stored'; readonly folder: FolderState }
    | {
        readonly outcome: 'waiting';
        readonly reason: ConfirmationReason;
        readonly candidates: readonly FolderCandidate<FolderState>[];
        readonly folders: readonly FolderState[];
      }
  );

/** In creation order: ids are sortable by creation. */
const foldersInReach = (state: WorkspaceState, principal: Principal): FolderState[] => {
  const reach = reachOf(principal);
  return [...state.folders.values()].filter(({ id }) => listsFolder(reach, id)).sort((a, b) => (a.id < b.id ? -1 : 1));
};

const refuseSensitive = (field: string) =>
  fail('engram.sensitive', 'this engram is sensitive: an agent cannot write to it, use the console', { field });

const stored = (folder: FolderState, { item }: Memory, { agentId }: Principal, field: string): Remembered => {
  if (isSensitive(folder.tier)) throw refuseSensitive(field);
  return { ...decided(item.itemId, ...itemEvents(item, folder.id, agentId)), outcome: 'stored', folder };
};

const folderOfSlug = (slug: string, reach: readonly FolderState[]): FolderState => {
  const folder = reach.find((one) => one.slug === slug);
  if (folder) return folder;
  const engrams = reach.filter(({ tier }) => !isSensitive(tier)).map(({ name }) => name);
  throw fail('engram.not_found', 'there is no engram with this slug; name it in target_engram instead', {
    field: 'slug',
    engrams,
  });
};

/** A repeat of the call before a person has decided asks nothing new. */
const request = (
  state: WorkspaceState,
  { data, principal, atMs }: Decidable<Memory>,
  candidates: readonly FolderCandidate<FolderState>[],
): Decision => {
  const { payloadHash, kind, confirmationId, sealWaiting } = data;
  const open = [...state.confirmations.values()].filter((one) => confirmationStatus(one, atMs) === 'waiting');
  const own = open.filter(({ agentId }) => agentId === principal.agentId);
  const same = own.find((one) => one.payloadHash === payloadHash);
  if (same) return alreadyDone(same.id);
  // The limit applies to each agent, so that one agent cannot keep the others from asking.
  if (own.length >= CONFIRMATIONS_PENDING_MAX) {
    const message = `${CONFIRMATIONS_PENDING_MAX} memories of yours wait for the user to say where they belong: ask the user to decide some in the console first`;
    throw fail('confirmation.too_many', message, { limit: CONFIRMATIONS_PENDING_MAX });
  }
  const sealed = sealWaiting(
    candidates.map(({ folder, match, score }) => ({ folderId: folder.id, name: folder.name, match, score })),
  );
  const expiresAt = new Date(atMs + CONFIRMATION_LIFE_MS).toISOString();
  const reason = candidates.length > 0 ? 'close' : 'none';
  return decided(confirmationId, {
    type: 'confirmation.requested',
    data: { confirmationId, agentId: principal.agentId, reason, kind, payloadHash, sealed, expiresAt },
  });
};

/** A name matches a folder exactly, or a person decides: nothing is created and nothing is guessed here. */
const byName = (state: WorkspaceState, decidable: Decidable<Memory>, name: string): Remembered => {
  const { data, principal } = decidable;
  const reach = foldersInReach(state, principal);
  const folders = reach.filter(({ tier }) => !isSensitive(tier));
  const resolution = resolveFolder(name, folders);
  if (resolution.kind === 'exact') return stored(resolution.folder, data, principal, 'name');
  // Folders that may not be named are not candidates; a caller that knows the exact name learns why it is refused.
  if (
    resolveFolder(
      name,
      reach.filter(({ tier }) => isSensitive(tier)),
    ).kind === 'exact'
  )
    throw refuseSensitive('name');
  const candidates = resolution.kind === 'close' ? resolution.candidates : [];
  const reason = resolution.kind;
  return { ...request(state, decidable, candidates), outcome: 'waiting', reason, candidates, folders };
};

export const decideRemember = (state: WorkspaceState, decidable: Decidable<Memory>): Remembered => {
  const { data, principal } = decidable;
  if (data.name !== undefined) return byName(state, decidable, data.name);
  const folder =
    data.slug === undefined
      ? fallbackFolder(state, principal, 'name')
      : folderOfSlug(data.slug, foldersInReach(state, principal));
  return stored(folder, data, principal, data.slug === undefined ? 'name' : 'slug');
};
