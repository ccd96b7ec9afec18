import type { DomainEvent, Tier } from '@cairn/contracts';

/** What deciders look at: the part of a workspace that a group of commands speaks of, at one position of the log. */
export interface WorkspaceState {
  readonly exists: boolean;
  /** A slug is taken over all workspaces; loaded only for `workspace.create`. */
  readonly workspaceSlugs: ReadonlySet<string>;
  readonly folders: ReadonlyMap<string, FolderState>;
  readonly tokens: ReadonlyMap<string, { readonly revoked: boolean }>;
  readonly items: ReadonlyMap<string, ItemState>;
  readonly clientTokens: ReadonlyMap<string, ClientTokenState>;
  readonly commands: ReadonlyMap<string, CommandState>;
}

/** A command that has been carried out: where it ended, the thing it made, and what it was. */
export interface CommandState {
  readonly position: number;
  readonly entityId: string;
  readonly type: string;
  readonly tokenId: string;
  readonly payloadHash: string | null;
}

export interface FolderState {
  readonly id: string;
  readonly slug: string;
  readonly tier: Tier;
  readonly isDefault: boolean;
}

export interface ItemState {
  readonly id: string;
  readonly folderId: string;
  readonly createdByAgentId: string;
  readonly supersededById: string | null;
}

export interface ClientTokenState {
  readonly itemId: string;
  readonly payloadHash: string;
  readonly storedAtMs: number;
}

export const EMPTY_STATE: WorkspaceState = {
  exists: false,
  workspaceSlugs: new Set(),
  folders: new Map(),
  tokens: new Map(),
  items: new Map(),
  clientTokens: new Map(),
  commands: new Map(),
};

export const clientTokenKey = (agentId: string, clientToken: string): string => `${agentId}|${clientToken}`;

/** When an event of the group was decided, and by whose command; `position` is not known before the append. */
export interface Cause {
  readonly atMs: number;
  readonly commandId: string;
}

const put = <V>(map: ReadonlyMap<string, V>, key: string, value: V): ReadonlyMap<string, V> =>
  new Map(map).set(key, value);

const itemStored = (
  state: WorkspaceState,
  event: Extract<DomainEvent, { type: 'item.stored' }>,
  cause: Cause,
): WorkspaceState => {
  const { itemId, folderId, createdByAgentId, clientToken, payloadHash } = event.data;
  const items = put(state.items, itemId, { id: itemId, folderId, createdByAgentId, supersededById: null });
  if (clientToken === null) return { ...state, items };
  const record: ClientTokenState = { itemId, payloadHash, storedAtMs: cause.atMs };
  return {
    ...state,
    items,
    clientTokens: put(state.clientTokens, clientTokenKey(createdByAgentId, clientToken), record),
  };
};

const folderConfigured = (
  state: WorkspaceState,
  event: Extract<DomainEvent, { type: 'folder.configured' }>,
): WorkspaceState => {
  const folder = state.folders.get(event.data.folderId);
  if (!folder) return state;
  return { ...state, folders: put(state.folders, folder.id, { ...folder, tier: event.data.tier ?? folder.tier }) };
};

/** The state after an event, so that the next command of the same group is decided on it. */
export const evolve = (state: WorkspaceState, event: DomainEvent, cause: Cause): WorkspaceState => {
  switch (event.type) {
    case 'workspace.created':
      return { ...state, exists: true, workspaceSlugs: new Set([...state.workspaceSlugs, event.data.slug]) };
    case 'folder.created': {
      const { folderId, slug, tier, isDefault } = event.data;
      return { ...state, folders: put(state.folders, folderId, { id: folderId, slug, tier, isDefault }) };
    }
    case 'folder.configured':
      return folderConfigured(state, event);
    case 'token.issued':
      return { ...state, tokens: put(state.tokens, event.data.tokenId, { revoked: false }) };
    case 'token.revoked':
      return { ...state, tokens: put(state.tokens, event.data.tokenId, { revoked: true }) };
    case 'item.stored':
      return itemStored(state, event, cause);
    case 'item.extended':
      return state;
    case 'item.superseded': {
      const item = state.items.get(event.data.itemId);
      if (!item) return state;
      return { ...state, items: put(state.items, item.id, { ...item, supersededById: event.data.byItemId }) };
    }
  }
};
