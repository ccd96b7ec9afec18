import { sees, type Reader } from '@cairn/access';
import type { DomainEvent, EventData, EventType, FolderView, WorkspaceView } from '@cairn/contracts';
import { EMPTY_STATE, evolve, replacements, type ItemState, type WorkspaceState } from '@cairn/domain';

export interface ItemRow extends Pick<EventData<'item.stored'>, 'kind' | 'sourceKind' | 'confidence'> {
  readonly createdAt: string;
  readonly updatedAt: string;
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

/** A workspace of the in-memory Cairn: the deciders' state, and what queries show beyond it. Both follow from its events. */
export class InMemoryWorkspace {
  state: WorkspaceState = EMPTY_STATE;
  view: WorkspaceView;
  /** In the order in which they were stored. */
  readonly items = new Map<string, ItemRow>();
  readonly folders = new Map<string, FolderView>();
  readonly tokens = new Map<string, TokenRow>();
  readonly confirmations = new Map<string, ConfirmationRow>();

  constructor(readonly id: string) {
    this.view = { id, slug: 'main', name: 'Main', createdAt: new Date(0).toISOString() };
  }

  apply(event: DomainEvent, at: string): void {
    this.state = evolve(this.state, event);
    const apply = ROWS[event.type] as ((workspace: this, data: unknown, at: string) => void) | undefined;
    apply?.(this, event.data, at);
  }

  visibleFolders(reader: Reader): FolderView[] {
    return [...this.folders.values()].filter(({ id: folderId, tier }) => sees(reader, { folderId, tier }));
  }

  visibleItems(reader: Reader): ItemState[] {
    return [...this.items.keys()].map((id) => this.state.items.get(id)!).filter((item) => this.sees(reader, item));
  }

  /** The newest replacement of an item, where the reader may see it. */
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

const ROWS: {
  readonly [T in EventType]?: (workspace: InMemoryWorkspace, data: EventData<T>, at: string) => void;
} = {
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
  'item.stored': ({ items }, { itemId, kind, sourceKind, confidence }, at) =>
    items.set(itemId, { kind, sourceKind, confidence, createdAt: at, updatedAt: at }),
  'item.placed': touchItem,
  'chunk.corrected': touchItem,
  'item.forgotten': ({ items }, { itemId }) => items.delete(itemId),
  'confirmation.requested': ({ confirmations }, data, createdAt) =>
    confirmations.set(data.confirmationId, { ...data, createdAt, folderId: null, itemId: null }),
  'confirmation.resolved': ({ confirmations }, { confirmationId, folderId, storedItemId: itemId }) =>
    change(confirmations, confirmationId, { folderId, itemId }),
};
