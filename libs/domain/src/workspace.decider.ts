import { fail, type CommandData } from '@cairn/contracts';
import { alreadyDone, decided, type Decidable, type Decision } from './decision.js';
import type { WorkspaceState } from './state.js';

export const DEFAULT_FOLDER = { slug: 'inbox', name: 'Inbox', tier: 'personal' } as const;

export const decideCreateWorkspace = (
  state: WorkspaceState,
  { data }: Decidable<CommandData<'workspace.create'>>,
): Decision => {
  if (state.exists) return alreadyDone(data.workspaceId);
  if (state.workspaceSlugs.has(data.slug)) {
    throw fail('workspace.slug_taken', `a workspace with the slug "${data.slug}" exists`, { field: 'slug' });
  }
  return decided(
    data.workspaceId,
    { type: 'workspace.created', data: { workspaceId: data.workspaceId, slug: data.slug, name: data.name } },
    {
      type: 'folder.created',
      data: { folderId: data.folderId, ...DEFAULT_FOLDER, maxTokensPerRecall: null, readme: '', isDefault: true },
    },
    { type: 'token.issued', data: { ...data.adminToken, instanceAdmin: data.instanceAdmin } },
  );
};
