import { listsFolder, reachOf, readerOf, seesTier } from '@cairn/access';
import {
  fail,
  fieldsOf,
  itemFields,
  type CommandData,
  type DomainEvent,
  type EventData,
  type Principal,
  type StoredChunk,
} from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import { extensions, firstChunks } from './chunk-ops.js';
import { decided, type Decidable, type Decision } from './decision.js';
import { visibleFolder } from './folder.decider.js';
import { checkStaysInKb } from './placement.decider.js';
import { checkQuota } from './quota.decider.js';
import type { FolderState, WorkspaceState } from './state.js';

/** A `StoreItem` after ingest has chunked and sealed its text: ids are minted, no plaintext is left. */
export interface SealedItem {
  readonly itemId: string;
  readonly command: Omit<CommandData<'item.store'>, 'title' | 'text' | 'tags' | 'taskRef' | 'format' | 'clientToken'>;
  readonly meta: string;
  readonly chunks: readonly StoredChunk[];
  /** Set for an item that came from an account. */
  readonly origin?: ItemOrigin;
}

export type ItemOrigin = Pick<EventData<'item.stored'>, 'retention' | 'accountId' | 'externalKey' | 'externalVersion'>;

/**
 * The folder if none is named: the token's only folder, or else the workspace's default one. `field` is the field in
 * which the caller could name one.
 */
export const fallbackFolder = (state: WorkspaceState, principal: Principal, field: string): FolderState => {
  const reach = reachOf(principal);
  const [only, another] = reach.folderIds ?? [];
  if (only !== undefined && another === undefined) return visibleFolder(state, reach, only);
  const fallback = [...state.folders.values()].find((folder) => folder.isDefault);
  if (fallback && listsFolder(reach, fallback.id)) return fallback;
  throw folderRequired(field);
};

/** Not every call can name a folder, so the message also gives the remedy for calls that cannot. */
const folderRequired = (field: string): AppError =>
  fail(
    'folder.required',
    'there is no folder that this token stores in by itself: name one of its folders with a tool or route that takes ' +
      'a folder, or ask an admin for a token with the default folder',
    { field },
  );

/**
 * The folder of a new item: the named one, or the fallback. A caller never stores into a folder that it could not read.
 */
const targetFolder = (
  state: WorkspaceState,
  principal: Principal,
  { folderId, surface }: SealedItem['command'],
): FolderState => {
  const reader = readerOf(principal, surface);
  if (folderId !== undefined) return visibleFolder(state, reader, folderId);
  const folder = fallbackFolder(state, principal, 'folderId');
  if (seesTier(reader, folder.tier)) return folder;
  throw folderRequired('folderId');
};

type ItemStored = Extract<DomainEvent, { type: 'item.stored' }>;

/** The ops of a new item. */
export const itemEvents = (data: SealedItem, folderId: string, createdByAgentId: string): DomainEvent[] => {
  const { command, itemId, meta, chunks, origin } = data;
  const stored: ItemStored = {
    type: 'item.stored',
    data: {
      itemId,
      folderId,
      ...fieldsOf(itemFields, command),
      sourceKind: command.source.kind,
      createdByAgentId,
      expiresAt: command.expiresAt === null ? null : new Date(command.expiresAt).toISOString(),
      ...origin,
      // Links are sealed in `meta`. Readers of earlier builds refuse an op without this field.
      links: [],
      meta,
      chunkCount: chunks.length,
      chunks: firstChunks(chunks),
    },
  };
  const { inKb, expiresAt } = stored.data;
  return [stored, ...extensions({ itemId, folderId, inKb, expiresAt, meta }, chunks)];
};

export const decideStoreItem = (state: WorkspaceState, { data, principal, atMs }: Decidable<SealedItem>): Decision => {
  const { command, itemId } = data;
  if (command.expiresAt !== null && Date.parse(command.expiresAt) <= atMs) {
    throw fail('knowledge.expires_in_past', 'expiresAt must be strictly in the future', { field: 'expiresAt' });
  }
  checkStaysInKb(principal, command.inKb);
  const folder = targetFolder(state, principal, command);
  if (command.kind === 'knowledge') checkQuota(state, 'knowledge_stored');
  return decided(itemId, ...itemEvents(data, folder.id, principal.agentId));
};
