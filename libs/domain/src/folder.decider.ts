import { fail, hasScope, type CommandData, type Principal, type Surface } from '@cairn/contracts';
import { alreadyDone, decided, type Decidable, type Decision } from './decision.js';
import type { FolderState, WorkspaceState } from './state.js';

export const decideCreateFolder = (
  state: WorkspaceState,
  { data }: Decidable<CommandData<'folder.create'>>,
): Decision => {
  if (state.folders.has(data.folderId)) return alreadyDone(data.folderId);
  if ([...state.folders.values()].some((folder) => folder.slug === data.slug)) {
    throw fail('folder.slug_taken', `a folder with the slug "${data.slug}" exists`, { field: 'slug' });
  }
  return decided(data.folderId, { type: 'folder.created', data: { ...data, isDefault: false } });
};

export const decideConfigureFolder = (
  state: WorkspaceState,
  { data, principal }: Decidable<CommandData<'folder.configure'>>,
): Decision => {
  const folder = visibleFolder(state, principal, data.folderId, 'id');
  const { folderId: _, ...changes } = data;
  if (Object.values(changes).every((value) => value === undefined)) return alreadyDone(folder.id);
  return decided(folder.id, { type: 'folder.configured', data });
};

/** What lies in a sensitive folder is for admins, and not through a tool: for all others it is as if it were not there. */
export const isOpenTo = ({ tier }: Pick<FolderState, 'tier'>, principal: Principal, surface: Surface): boolean =>
  tier !== 'sensitive' || (surface === 'rest' && hasScope(principal, 'admin'));

/** A folder outside the caller's list looks exactly like one that does not exist. */
export const visibleFolder = (
  state: WorkspaceState,
  principal: Principal,
  folderId: string,
  field = 'folderId',
): FolderState => {
  const folder = state.folders.get(folderId);
  const inScope = principal.isUnscoped || principal.folderIds.includes(folderId);
  if (!folder || !inScope) throw fail('folder.not_found', 'there is no such folder', { field });
  return folder;
};
