import { isSensitive, listsFolder, reachOf } from '@cairn/access';
import { fail, type DomainEvent, type Principal } from '@cairn/contracts';
import { decided, type Decidable, type Decision } from './decision.js';
import { resolveFolder } from './engram-resolver.js';
import { itemEvents, type SealedItem } from './item.decider.js';
import type { FolderState, WorkspaceState } from './state.js';

/** The parts of a commit other than its text, decided on the same state and appended in the same batch. */
export type CommitPart = (
  state: WorkspaceState,
  commit: { readonly item: SealedItem; readonly folder: FolderState; readonly principal: Principal },
) => readonly DomainEvent[];

export interface Commit {
  readonly item: SealedItem;
  readonly folderName: string;
  readonly parts: readonly CommitPart[];
}

export interface Committed extends Decision {
  readonly folder: FolderState;
}

/** A sensitive folder looks like one that does not exist: an agent neither writes to it nor learns its name. */
const foldersToName = (state: WorkspaceState, principal: Principal): FolderState[] => {
  const reach = reachOf(principal);
  return [...state.folders.values()]
    .filter(({ id, tier }) => listsFolder(reach, id) && !isSensitive(tier))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
};

const folderNamed = (name: string, folders: readonly FolderState[]): FolderState => {
  const resolution = resolveFolder(name, folders);
  if (resolution.kind === 'exact') return resolution.folder;
  if (resolution.kind === 'close') {
    const candidates = resolution.candidates.map(({ folder, match }) => ({
      name: folder.name,
      graphId: folder.slug,
      match,
    }));
    throw fail('engram.close_matches', 'no folder has exactly this name; name one of the candidates', {
      field: 'folderName',
      suggestedName: name,
      candidates,
    });
  }
  const engrams = folders.map((folder) => folder.name);
  throw fail('engram.not_found', 'there is no folder with this name, and none is created', {
    field: 'folderName',
    suggestedName: name,
    engrams,
  });
};

export const decideCommitItem = (state: WorkspaceState, { data, principal }: Decidable<Commit>): Committed => {
  const { item, folderName, parts } = data;
  const folder = folderNamed(folderName, foldersToName(state, principal));
  const further = parts.flatMap((part) => part(state, { item, folder, principal }));
  return { ...decided(item.itemId, ...itemEvents(item, folder.id, principal.agentId), ...further), folder };
};
