import { readerOf, seesInKb, type Reader } from '@cairn/access';
import { fail, type CommandData, type DomainEvent, type Principal, type StoredChunk } from '@cairn/contracts';
import { assert } from '@cairn/kernel';
import { extensions, firstChunks } from './chunk-ops.js';
import { alreadyDone, decided, type Decidable, type Decision } from './decision.js';
import { visibleFolder } from './folder.decider.js';
import type { ItemState, WorkspaceState } from './state.js';
import { visibleItem } from './visible-item.js';

/** The decider's view of an `UpdateItem`: title and tags are sealed, so the holder of the key compares them. */
export interface ItemChange {
  readonly command: Omit<CommandData<'item.update'>, 'title' | 'tags'>;
  /** Returns the meta with the new title and tags, or the same string if they are unchanged. */
  readonly reseal: (meta: string) => string;
}

/** A token that is limited to the knowledge base may not put anything where it cannot see it. */
export const checkStaysInKb = (principal: Principal, inKb: boolean): void => {
  if (seesInKb(principal, inKb)) return;
  // Each surface has its own name for the field, so the message does not name it.
  throw fail('item.kb_only', 'this token works in the knowledge base only and cannot keep anything outside it', {
    field: 'inKb',
  });
};

const targetOf = (state: WorkspaceState, reader: Reader, item: ItemState, folderId?: string): string =>
  folderId === undefined || folderId === item.folderId ? item.folderId : visibleFolder(state, reader, folderId).id;

/** The chunks to index again: none after a mere move, and none outside the knowledge base. */
const chunksToRepeat = (item: ItemState, inKb: boolean, meta: string): readonly StoredChunk[] => {
  if (!inKb || (item.inKb && meta === item.meta)) return [];
  assert(item.chunks, 'the chunks of an item that is to be indexed again were not loaded');
  return item.chunks;
};

export const decideUpdateItem = (state: WorkspaceState, { data, principal }: Decidable<ItemChange>): Decision => {
  const { command, reseal } = data;
  const reader = readerOf(principal, 'rest');
  const item = visibleItem(state, reader, command.itemId, 'id');
  const folderId = targetOf(state, reader, item, command.folderId);
  const inKb = command.inKb ?? item.inKb;
  checkStaysInKb(principal, inKb);
  const meta = reseal(item.meta);
  if (folderId === item.folderId && inKb === item.inKb && meta === item.meta) return alreadyDone(item.id);
  const chunks = chunksToRepeat(item, inKb, meta);
  const placed = {
    itemId: item.id,
    folderId,
    inKb,
    wasInKb: item.inKb,
    superseded: item.supersededById !== null,
    expiresAt: item.expiresAt,
    meta,
  };
  const first: DomainEvent = { type: 'item.placed', data: { ...placed, chunks: firstChunks(chunks) } };
  return decided(item.id, first, ...extensions(placed, chunks));
};
