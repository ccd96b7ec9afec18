import { sees, type Reader } from '@cairn/access';
import type {
  DomainEvent,
  EventData,
  EventType,
  FolderView,
  Retention,
  StoredLink,
  WorkspaceView,
} from '@cairn/contracts';
import { EMPTY_STATE, evolve, replacements, type ItemState, type WorkspaceState } from '@cairn/domain';

import { InMemoryGraph } from './cairn-graph.fake.js';

export interface ItemRow extends Pick<EventData<'item.stored'>, 'kind' | 'sourceKind' | 'confidence'> {
  readonly retention: Retention;
  readonly accountId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly position: number;
}

export interface TokenRow extends EventData<'token.issued'> {
  readonly createdAt: string;
  readonly revokedAt: string | null;
}

export interface ConfirmationRow extends EventData<'confirmation.requested'> {
  readonly createdAt: string;
  readonly folderId: string | null;
  readonly itemId: string | null;
}

export interface LinkRow extends StoredLink {
  /** Where the item at its end was, once that is forgotten. */
  readonly gone?: { readonly folderId: string; readonly inKb: boolean };
}

/**
 * A workspace of the in-memory Cairn: the deciders' state, and further data that queries show. Both are derived from
 * its events.
 */
export class InMemoryWorkspace {
  state: WorkspaceState = EMPTY_STATE;
  view: WorkspaceView;
  /** In storage order. */
  readonly items = new Map<string, ItemRow>();
  readonly folders = new Map<string, FolderView>();
  readonly tokens = new Map<string, TokenRow>();
  readonly confirmations = new Map<string, ConfirmationRow>();
  readonly links = new Map<string, LinkRow>();
  /** By ends and type, including removed links. */
  readonly linkIds = new Map<string, string>();
  /** When each account was connected. */
  readonly accounts = new Map<string, string>();
  readonly graph = new InMemoryGraph();

  constructor(readonly id: string) {
    this.view = { id, slug: 'main', name: 'Main', createdAt: new Date(0).toISOString() };
  }

  apply(event: DomainEvent, at: string, position = 0): void {
    this.state = evolve(this.state, event);
    const apply = ROWS[event.type] as RowChange | undefined;
    apply?.(this, event.data, at, position);
  }

  visibleFolders(reader: Reader): FolderView[] {
    return [...this.folders.values()].filter(({ id: folderId, tier }) => sees(reader, { folderId, tier }));
  }

  visibleItems(reader: Reader): ItemState[] {
    return [...this.items.keys()].map((id) => this.state.items.get(id)!).filter((item) => this.sees(reader, item));
  }

  /** The newest replacement of an item, if the reader may see it. */
  visibleHead(reader: Reader, itemId: string): string | null {
    const [, ...newer] = replacements(this.state.items, itemId);
    const head = this.state.items.get(newer.at(-1) ?? '');
    return head && this.sees(reader, head) ? head.id : null;
  }

  private sees(reader: Reader, { folderId, inKb }: ItemState): boolean {
    return sees(reader, { folderId, tier: this.folders.get(folderId)?.tier, inKb });
  }
}

const change = <V>(rows: Map<string, V>, id: string, changed: Partial<V>): void => {
  const row = rows.get(id);
  if (row !== undefined) rows.set(id, { ...row, ...changed });
};

const touchItem = ({ items }: InMemoryWorkspace, { itemId }: { readonly itemId: string }, updatedAt: string): void =>
  change(items, itemId, { updatedAt });

/** A link goes with either end; one that says what an item was derived from stays. */
const forgetLinks = (links: Map<string, LinkRow>, data: EventData<'item.forgotten'>): void => {
  const { itemId, folderId, inKb = false } = data;
  for (const [id, link] of links) {
    if (link.fromItemId === itemId || (link.toItemId === itemId && link.type !== 'derived_from')) links.delete(id);
    else if (link.toItemId === itemId) links.set(id, { ...link, gone: { folderId, inKb } });
  }
};

type RowChange<D = unknown> = (workspace: InMemoryWorkspace, data: D, at: string, position: number) => void;

const ROWS: { readonly [T in EventType]?: RowChange<EventData<T>> } = {
  'workspace.created': (workspace, { workspaceId: id, slug, name }, createdAt) => {
    workspace.view = { id, slug, name, createdAt };
  },
  'folder.created': ({ folders }, { folderId: id, isDefault: _, ...folder }, createdAt) =>
    folders.set(id, { id, ...folder, createdAt }),
  'folder.configured': ({ folders }, { folderId, ...changes }) => {
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    change(folders, folderId, Object.fromEntries(given));
  },
  'token.issued': ({ tokens }, data, createdAt) => tokens.set(data.tokenId, { ...data, createdAt, revokedAt: null }),
  'token.revoked': ({ tokens }, { tokenId }, revokedAt) => change(tokens, tokenId, { revokedAt }),
  'edge.observed': ({ graph }, data) => graph.observed(data),
  'item.stored': ({ items }, data, at, position) => {
    const { itemId, kind, sourceKind, confidence, retention = 'full', accountId = null } = data;
    items.set(itemId, { kind, sourceKind, confidence, retention, accountId, createdAt: at, updatedAt: at, position });
  },
  'item.placed': touchItem,
  'chunk.corrected': touchItem,
  'item.forgotten': ({ items, links }, data) => {
    items.delete(data.itemId);
    forgetLinks(links, data);
  },
  'link.added': ({ links }, { links: added }) => {
    for (const link of added) links.set(link.linkId, link);
  },
  'link.removed': ({ links }, { linkIds }) => {
    for (const id of linkIds) links.delete(id);
  },
  'connector.connected': ({ accounts }, { accountId }, at) => accounts.set(accountId, at),
  'confirmation.requested': ({ confirmations }, data, createdAt) =>
    confirmations.set(data.confirmationId, { ...data, createdAt, folderId: null, itemId: null }),
  'confirmation.resolved': ({ confirmations }, { confirmationId, folderId, storedItemId: itemId }) =>
    change(confirmations, confirmationId, { folderId, itemId }),
};
