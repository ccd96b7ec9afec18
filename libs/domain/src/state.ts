import type {
  ClientTokenUse,
  DomainEvent,
  ErasedOp,
  EventData,
  MemoryKind,
  QuotaName,
  StoredChunk,
  Tier,
} from '@cairn/contracts';
import { evolveServers, type Servers } from './server-state.js';

export type { ServerState } from './server-state.js';

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
  readonly quotas: Readonly<Record<QuotaName, QuotaState>>;
  readonly confirmations: ReadonlyMap<string, ConfirmationState>;
  readonly receipts: ReadonlyMap<string, { readonly issued: boolean }>;
  readonly servers: Servers;
}

export interface QuotaState {
  /** null: unlimited. */
  readonly limit: number | null;
  readonly used: number;
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
  readonly name: string;
  readonly tier: Tier;
  readonly isDefault: boolean;
}

export interface ItemState {
  readonly id: string;
  readonly folderId: string;
  readonly inKb: boolean;
  readonly expiresAt: string | null;
  readonly createdByAgentId: string;
  readonly supersededById: string | null;
  /** Title, tags and source, sealed. */
  readonly meta: string;
  /** As they were stored; loaded only for a command that may have to repeat them. */
  readonly chunks?: readonly StoredChunk[];
  /** Loaded only to forget it. */
  readonly content?: ErasableContent;
}

/** What there is to erase of an item. */
export interface ErasableContent {
  readonly chunkIds: readonly string[];
  /** Not known any more once an op has come whose place in the log is not known yet. */
  readonly ops: readonly ErasedOp[] | undefined;
}

export interface ConfirmationState {
  readonly id: string;
  readonly agentId: string;
  readonly kind: MemoryKind;
  readonly payloadHash: string;
  /** The waiting text; null once the confirmation is resolved. */
  readonly sealed: string | null;
  readonly expiresAtMs: number;
  /** Set while it is discarded: until then it can be restored. */
  readonly restorableUntilMs: number | null;
}

export interface ClientTokenState {
  readonly command: CommandState;
  readonly atMs: number;
}

export const EMPTY_STATE: WorkspaceState = {
  exists: false,
  workspaceSlugs: new Set(),
  folders: new Map(),
  tokens: new Map(),
  items: new Map(),
  clientTokens: new Map(),
  commands: new Map(),
  quotas: { knowledge_stored: { limit: null, used: 0 } },
  confirmations: new Map(),
  receipts: new Map(),
  servers: new Map(),
};

export const clientTokenKey = (agentId: string, { tool, token }: ClientTokenUse): string =>
  `${agentId}|${tool}|${token}`;

const put = <V>(map: ReadonlyMap<string, V>, key: string, value: V): ReadonlyMap<string, V> =>
  new Map(map).set(key, value);

const newItem = (data: EventData<'item.stored'>): ItemState => {
  const { itemId: id, folderId, inKb, expiresAt, createdByAgentId, meta, chunks } = data;
  return { id, folderId, inKb, expiresAt, createdByAgentId, supersededById: null, meta, chunks };
};

const oneMore = ({ limit, used }: QuotaState): QuotaState => ({ limit, used: used + 1 });

const itemStored = (state: WorkspaceState, event: Extract<DomainEvent, { type: 'item.stored' }>): WorkspaceState => {
  const { itemId, kind } = event.data;
  const items = put(state.items, itemId, newItem(event.data));
  const quotas = kind === 'knowledge' ? { knowledge_stored: oneMore(state.quotas.knowledge_stored) } : state.quotas;
  return { ...state, items, quotas };
};

/** The state with a change to one of its items; an item that was not loaded concerns no command of the group. */
const withItem = (state: WorkspaceState, id: string, change: (item: ItemState) => ItemState): WorkspaceState => {
  const item = state.items.get(id);
  return item ? { ...state, items: put(state.items, id, change(item)) } : state;
};

/** Only chunks that are new: those that continue an `item.placed` are known. */
const extended = (item: ItemState, { chunks }: EventData<'item.extended'>): ItemState => {
  const known = item.chunks;
  if (!known) return item;
  const ids = new Set(known.map(({ chunkId }) => chunkId));
  return { ...item, chunks: [...known, ...chunks.filter((chunk) => !ids.has(chunk.chunkId))] };
};

const corrected = (
  item: ItemState,
  { chunkId, newText, textHash, tokens }: EventData<'chunk.corrected'>,
): ItemState => {
  const { chunks } = item;
  if (!chunks) return item;
  const replaced = (chunk: StoredChunk): StoredChunk =>
    chunk.chunkId === chunkId ? { ...chunk, text: newText, textHash, tokens } : chunk;
  return { ...item, chunks: chunks.map(replaced) };
};

const folderConfigured = (
  state: WorkspaceState,
  event: Extract<DomainEvent, { type: 'folder.configured' }>,
): WorkspaceState => {
  const folder = state.folders.get(event.data.folderId);
  if (!folder) return state;
  const { name = folder.name, tier = folder.tier } = event.data;
  return { ...state, folders: put(state.folders, folder.id, { ...folder, name, tier }) };
};

const newConfirmation = (data: EventData<'confirmation.requested'>): ConfirmationState => {
  const { confirmationId: id, agentId, kind, payloadHash, sealed, expiresAt } = data;
  return { id, agentId, kind, payloadHash, sealed, expiresAtMs: Date.parse(expiresAt), restorableUntilMs: null };
};

const changeConfirmation = (
  state: WorkspaceState,
  id: string,
  change: Partial<Pick<ConfirmationState, 'sealed' | 'restorableUntilMs'>>,
): WorkspaceState => {
  const confirmation = state.confirmations.get(id);
  if (!confirmation) return state;
  return { ...state, confirmations: put(state.confirmations, id, { ...confirmation, ...change }) };
};

const unsettled = (item: ItemState): ItemState =>
  item.content ? { ...item, content: { ...item.content, ops: undefined } } : item;

const itemForgotten = (state: WorkspaceState, { itemId, ledOn }: EventData<'item.forgotten'>): WorkspaceState => {
  const items = new Map(state.items);
  items.delete(itemId);
  for (const { itemId: id } of ledOn?.items ?? []) {
    const item = items.get(id);
    if (item) items.set(id, { ...item, supersededById: ledOn?.to?.byItemId ?? null });
  }
  return { ...state, items };
};

const withoutChunk = (item: ItemState, chunkId: string): ItemState => {
  const { chunks, content } = item;
  return {
    ...item,
    ...(chunks && { chunks: chunks.filter((chunk) => chunk.chunkId !== chunkId) }),
    ...(content && { content: { ...content, chunkIds: content.chunkIds.filter((id) => id !== chunkId) } }),
  };
};

/** The state after an event, so that the next command of the same group is decided on it. */
export const evolve = (state: WorkspaceState, event: DomainEvent): WorkspaceState => {
  switch (event.type) {
    case 'workspace.created':
      return { ...state, exists: true, workspaceSlugs: new Set([...state.workspaceSlugs, event.data.slug]) };
    case 'folder.created': {
      const { folderId, slug, name, tier, isDefault } = event.data;
      return { ...state, folders: put(state.folders, folderId, { id: folderId, slug, name, tier, isDefault }) };
    }
    case 'folder.configured':
      return folderConfigured(state, event);
    case 'token.issued':
      return { ...state, tokens: put(state.tokens, event.data.tokenId, { revoked: false }) };
    case 'token.revoked':
      return { ...state, tokens: put(state.tokens, event.data.tokenId, { revoked: true }) };
    case 'item.stored':
      return itemStored(state, event);
    case 'item.extended':
      return withItem(state, event.data.itemId, (item) => unsettled(extended(item, event.data)));
    case 'item.placed': {
      const { itemId, folderId, inKb, meta } = event.data;
      return withItem(state, itemId, (item) => unsettled({ ...item, folderId, inKb, meta }));
    }
    case 'item.superseded': {
      const { itemId, byItemId } = event.data;
      return withItem(state, itemId, (item) => ({ ...item, supersededById: byItemId }));
    }
    case 'chunk.corrected':
      return withItem(state, event.data.itemId, (item) => unsettled(corrected(item, event.data)));
    case 'confirmation.requested': {
      const confirmation = newConfirmation(event.data);
      return { ...state, confirmations: put(state.confirmations, confirmation.id, confirmation) };
    }
    case 'confirmation.discarded': {
      const { confirmationId, restorableUntil } = event.data;
      return changeConfirmation(state, confirmationId, { restorableUntilMs: Date.parse(restorableUntil) });
    }
    case 'confirmation.restored':
      return changeConfirmation(state, event.data.confirmationId, { restorableUntilMs: null });
    case 'confirmation.resolved':
      return changeConfirmation(state, event.data.confirmationId, { sealed: null });
    case 'item.forgotten':
      return itemForgotten(state, event.data);
    case 'chunk.forgotten':
      return withItem(state, event.data.itemId, (item) => withoutChunk(item, event.data.chunkId));
    case 'receipt.issued':
      return { ...state, receipts: put(state.receipts, event.data.receiptId, { issued: true }) };
    case 'server.registered':
    case 'server.configured':
    case 'server.removed':
      return { ...state, servers: evolveServers(state.servers, event) };
    case 'quota.set': {
      const { name, limit } = event.data;
      return { ...state, quotas: { ...state.quotas, [name]: { ...state.quotas[name], limit } } };
    }
  }
};
