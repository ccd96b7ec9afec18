import { systemPrincipal, type DomainEvent, type Principal } from '@cairn/contracts';
import type { Decidable, Decision } from './decision.js';
import { EMPTY_STATE, evolve, type WorkspaceState } from './state.js';

/** Ids, principals and states for given/when/then tests of deciders. */
export const id = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

export const WORKSPACE = id(1);
export const INBOX = id(2);
export const NOTES = id(3);
export const NOW_MS = Date.parse('2026-11-16T12:00:00Z');

export const admin: Principal = {
  ...systemPrincipal(WORKSPACE),
  tokenId: id(9),
  agentId: 'agent-a',
  instanceAdmin: false,
};

export const scoped = (...folderIds: string[]): Principal => ({
  ...admin,
  scopes: ['read', 'write'],
  isUnscoped: false,
  folderIds,
});

export const agent = (agentId: string): Principal => ({ ...admin, agentId });

export const by = <D>(principal: Principal, data: D, atMs = NOW_MS): Decidable<D> => ({
  commandId: id(1_000),
  principal,
  atMs,
  data,
});

export const after = (state: WorkspaceState, events: readonly DomainEvent[]): WorkspaceState =>
  events.reduce(evolve, state);

/** The state after the decision is applied. */
export const carriedOut = (state: WorkspaceState, decision: Decision): WorkspaceState => after(state, decision.events);

const folder = (folderId: string, slug: string, isDefault: boolean): DomainEvent => ({
  type: 'folder.created',
  data: { folderId, slug, name: slug, tier: 'personal', maxTokensPerRecall: null, readme: '', isDefault },
});

/** A workspace with the folders `inbox` (the default one) and `notes`. */
export const aWorkspace: WorkspaceState = after(EMPTY_STATE, [
  { type: 'workspace.created', data: { workspaceId: WORKSPACE, slug: 'main', name: 'Main' } },
  folder(INBOX, 'inbox', true),
  folder(NOTES, 'notes', false),
]);
