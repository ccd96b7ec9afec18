import { notFound, reachOf, sees, type Reader } from '@cairn/access';
import { fail, type CommandData } from '@cairn/contracts';
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
  const folder = visibleFolder(state, reachOf(principal), data.folderId, 'id');
  const { folderId: _, ...changes } = data;
  if (Object.values(changes).every((value) => value === undefined)) return alreadyDone(folder.id);
  return decided(folder.id, { type: 'folder.configured', data });
};

/** A folder that the caller may not see looks exactly like one that does not exist. */
export const visibleFolder = (
  state: WorkspaceState,
  reader: Reader,
  folderId: string,
  field = 'folderId',
): FolderState => {
  const folder = state.folders.get(folderId);
  if (folder && sees(reader, { folderId, tier: folder.tier })) return folder;
  throw notFound('folder', { field });
};
