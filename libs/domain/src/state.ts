import {
  MESH_DAILY_TOKENS_DEFAULT,
  SERIES_KINDS,
  type ClientTokenUse,
  type DomainEvent,
  type ErasedOp,
  type EventData,
  type ItemKind,
  type MemoryKind,
  type QuotaName,
  type Retention,
  type StoredChunk,
  type Tier,
} from '@cairn/contracts';
import { evolveServers, type Servers } from './server-state.js';

export type { ServerState } from './server-state.js';

/** The input of deciders: the part of a workspace that a group of commands refers to, at one position of the log. */
export interface WorkspaceState {
  readonly exists: boolean;
  /** Slugs are unique across all workspaces; loaded only for `workspace.create`. */
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
  readonly links: ReadonlyMap<string, LinkState>;
  readonly accounts: ReadonlyMap<string, AccountState>;
  readonly merges: ReadonlyMap<string, MergeState>;
  /** The items of rows of each account that a command of the group changes. */
  readonly series: ReadonlyMap<string, ReadonlySet<string>>;
  /** The items of a document, newest first, by `mirrorKey`; loaded only to sync that document. */
  readonly mirrors: ReadonlyMap<string, readonly MirrorState[]>;
}

export interface MirrorState {
  readonly itemId: string;
  readonly version: string;
  readonly retention: Retention;
}

export const mirrorKey = (accountId: string, externalKey: string): string => `${accountId}|${externalKey}`;

/** A link whose ends both exist. */
export interface LinkState {
  readonly id: string;
  readonly fromItemId: string;
  readonly toItemId: string;
}

/** An account with its rules; the sealed part is empty once the account is disconnected. */
export interface AccountState extends Omit<EventData<'connector.connected'>, 'accountId'> {
  readonly id: string;
  readonly isConnected: boolean;
}

/** Two names that a person has declared to be one entity, and whether that was undone. */
export interface MergeState {
  readonly id: string;
  readonly isSplit: boolean;
}

export interface QuotaState {
  /** null: unlimited. */
  readonly limit: number | null;
  readonly used: number;
}

/** A completed command: its end position, the thing it made, and its content. */
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
  readonly kind: ItemKind;
  readonly expiresAt: string | null;
  readonly createdByAgentId: string;
  readonly supersededById: string | null;
  /** Title, tags and source, sealed. */
  readonly meta: string;
  /** The chunks as stored; loaded only for a command that may have to repeat them. */
  readonly chunks?: readonly StoredChunk[];
  /** Loaded only for forgetting the item. */
  readonly content?: ErasableContent;
}

/** The content of an item that can be erased. */
export interface ErasableContent {
  readonly chunkIds: readonly string[];
  /** Undefined after an op whose place in the log is not known yet. */
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
  /** Set while the text is discarded: it can be restored until this time. */
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
  // The gateways count the use of the second quota, per day.
  quotas: {
    knowledge_stored: { limit: null, used: 0 },
    mesh_daily_tokens: { limit: MESH_DAILY_TOKENS_DEFAULT, used: 0 },
  },
  confirmations: new Map(),
  receipts: new Map(),
  servers: new Map(),
  links: new Map(),
  accounts: new Map(),
  merges: new Map(),
  series: new Map(),
  mirrors: new Map(),
};

export const clientTokenKey = (agentId: string, { tool, token }: ClientTokenUse): string =>
  `${agentId}|${tool}|${token}`;

const put = <V>(map: ReadonlyMap<string, V>, key: string, value: V): ReadonlyMap<string, V> =>
  new Map(map).set(key, value);

const newItem = (data: EventData<'item.stored'>): ItemState => {
  const { itemId: id, folderId, inKb, kind, expiresAt, createdByAgentId, meta, chunks } = data;
  return { id, folderId, inKb, kind, expiresAt, createdByAgentId, supersededById: null, meta, chunks };
};

const oneMore = ({ limit, used }: QuotaState): QuotaState => ({ limit, used: used + 1 });

const isOfSeries = (kind: string): boolean => SERIES_KINDS.some((known) => known === kind);

const seriesAfter = (
  { series }: WorkspaceState,
  { itemId, kind, accountId }: EventData<'item.stored'>,
): WorkspaceState['series'] => {
  const known = isOfSeries(kind) && accountId !== undefined ? series.get(accountId) : undefined;
  return known ? new Map(series).set(accountId!, new Set([...known, itemId])) : series;
};

const seriesWithout = ({ series }: WorkspaceState, itemId: string): WorkspaceState['series'] =>
  new Map([...series].map(([account, ids]) => [account, new Set([...ids].filter((id) => id !== itemId))]));

const mirrored = (mirrors: WorkspaceState['mirrors'], data: EventData<'item.stored'>): WorkspaceState['mirrors'] => {
  const { itemId, accountId, externalKey, externalVersion: version, retention = 'full' } = data;
  if (accountId === undefined || externalKey === undefined || version === undefined) return mirrors;
  const key = mirrorKey(accountId, externalKey);
  return put(mirrors, key, [{ itemId, version, retention }, ...(mirrors.get(key) ?? [])]);
};

const itemStored = (state: WorkspaceState, event: Extract<DomainEvent, { type: 'item.stored' }>): WorkspaceState => {
  const { itemId, kind } = event.data;
  const items = put(state.items, itemId, newItem(event.data));
  const quotas =
    kind === 'knowledge' ? { ...state.quotas, knowledge_stored: oneMore(state.quotas.knowledge_stored) } : state.quotas;
  const [series, mirrors] = [seriesAfter(state, event.data), mirrored(state.mirrors, event.data)];
  return { ...state, items, quotas, series, mirrors };
};

/** Applies a change to one item of the state; an item that was not loaded concerns no command of the group. */
const withItem = (state: WorkspaceState, id: string, change: (item: ItemState) => ItemState): WorkspaceState => {
  const item = state.items.get(id);
  return item ? { ...state, items: put(state.items, id, change(item)) } : state;
};

/** Adds only new chunks: those that continue an `item.placed` are known. */
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

/** A link is removed with either of its ends. */
const linksWithout = (links: WorkspaceState['links'], itemId: string): WorkspaceState['links'] =>
  new Map([...links].filter(([, { fromItemId, toItemId }]) => fromItemId !== itemId && toItemId !== itemId));

const linksAdded = (links: WorkspaceState['links'], added: EventData<'link.added'>['links']): WorkspaceState['links'] =>
  new Map([
    ...links,
    ...added.map(({ linkId: id, fromItemId, toItemId }) => [id, { id, fromItemId, toItemId }] as const),
  ]);

const linksRemoved = (links: WorkspaceState['links'], linkIds: readonly string[]): WorkspaceState['links'] => {
  const left = new Map(links);
  for (const id of linkIds) left.delete(id);
  return left;
};

const mirrorsWithout = (mirrors: WorkspaceState['mirrors'], itemId: string): WorkspaceState['mirrors'] =>
  new Map([...mirrors].map(([key, all]) => [key, all.filter((mirror) => mirror.itemId !== itemId)]));

const itemForgotten = (state: WorkspaceState, { itemId, ledOn }: EventData<'item.forgotten'>): WorkspaceState => {
  const items = new Map(state.items);
  items.delete(itemId);
  for (const { itemId: id } of ledOn?.items ?? []) {
    const item = items.get(id);
    if (item) items.set(id, { ...item, supersededById: ledOn?.to?.byItemId ?? null });
  }
  return {
    ...state,
    items,
    links: linksWithout(state.links, itemId),
    series: seriesWithout(state, itemId),
    mirrors: mirrorsWithout(state.mirrors, itemId),
  };
};

const withoutChunk = (item: ItemState, chunkId: string): ItemState => {
  const { chunks, content } = item;
  return {
    ...item,
    ...(chunks && { chunks: chunks.filter((chunk) => chunk.chunkId !== chunkId) }),
    ...(content && { content: { ...content, chunkIds: content.chunkIds.filter((id) => id !== chunkId) } }),
  };
};

const changeAccount = (state: WorkspaceState, id: string, change: Partial<AccountState>): WorkspaceState => {
  const account = state.accounts.get(id);
  return account ? { ...state, accounts: put(state.accounts, id, { ...account, ...change }) } : state;
};

const accountConfigured = (
  state: WorkspaceState,
  { accountId, ...changes }: EventData<'connector.configured'>,
): WorkspaceState => {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return changeAccount(state, accountId, Object.fromEntries(given));
};

/** The state after an event, on which the next command of the same group is decided. */
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
    case 'link.added':
      return { ...state, links: linksAdded(state.links, event.data.links) };
    case 'link.removed':
      return { ...state, links: linksRemoved(state.links, event.data.linkIds) };
    case 'connector.connected': {
      const { accountId: id, ...account } = event.data;
      return { ...state, accounts: put(state.accounts, id, { id, ...account, isConnected: true }) };
    }
    case 'connector.configured':
      return accountConfigured(state, event.data);
    case 'connector.disconnected':
      return changeAccount(state, event.data.accountId, { isConnected: false, sealed: '' });
    case 'edge.observed':
    case 'edge.reviewed':
      return withItem(state, event.data.itemId, unsettled);
    case 'entity.merged':
    case 'entity.split': {
      const { mergeId: id } = event.data;
      return { ...state, merges: put(state.merges, id, { id, isSplit: event.type === 'entity.split' }) };
    }
    case 'quota.set': {
      const { name, limit } = event.data;
      return { ...state, quotas: { ...state.quotas, [name]: { ...state.quotas[name], limit } } };
    }
  }
};
