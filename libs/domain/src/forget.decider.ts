import { isSensitive, notFound, reachOf } from '@cairn/access';
import {
  ERASED_PER_OP_MAX,
  fail,
  SUPERSEDED_TOGETHER_MAX,
  SYSTEM_TOKEN_ID,
  type CommandData,
  type DomainEvent,
  type ErasedOp,
  type EventData,
  type LedOn,
  type Principal,
  type Surface,
} from '@cairn/contracts';
import { alreadyDone, decided, type Decidable, type Decision } from './decision.js';
import type { ErasableContent, ItemState, WorkspaceState } from './state.js';
import { replacements } from './supersession.decider.js';
import { visibleItem } from './visible-item.js';

/** A `forget` command and the id of the receipt that will prove it. */
export interface Forgetting<C> {
  readonly command: C;
  readonly receiptId: string;
}

/** Applies only to a caller whose token covers the folder: for all others the item does not exist. */
const checkTier = (state: WorkspaceState, item: ItemState, surface: Surface): void => {
  if (surface === 'rest' || !isSensitive(state.folders.get(item.folderId)?.tier)) return;
  throw fail('forget.sensitive', 'this is in a sensitive folder, and only a person can forget it: use the console');
};

type Settled = ErasableContent & { readonly ops: readonly ErasedOp[] };

/**
 * The ops that hold the content are known once all of them are in the library; until then the command is decided again.
 */
const settledContent = (item: ItemState): Settled => {
  const { chunkIds = [], ops } = item.content ?? {};
  if (ops) return { chunkIds, ops };
  throw fail('oplog.conflict', 'this item is being changed at the moment; try again', { itemId: item.id });
};

/** The predecessors of the item must not stay hidden behind an item that no longer exists. */
const ledOn = ({ items }: WorkspaceState, item: ItemState): LedOn => {
  const replaced = [...items.values()].filter(({ supersededById }) => supersededById === item.id);
  const [, byItemId, ...further] = replacements(items, item.id);
  return {
    items: replaced.map(({ id: itemId, inKb }) => ({ itemId, inKb })),
    to: byItemId === undefined ? null : { byItemId, headId: further.at(-1) ?? byItemId },
  };
};

/** Returns the nth part of a list that is cut into parts of at most `max` entries. */
const part = <T>(list: readonly T[], n: number, max: number): T[] => list.slice(n * max, (n + 1) * max);

/**
 * Names all ops to erase, and all items that get another replacement; several ops share the list if one cannot hold it.
 */
const itemForgotten = (state: WorkspaceState, item: ItemState, content: Settled, receiptId: string): DomainEvent[] => {
  const { id: itemId, folderId, inKb } = item;
  const { items: replaced, to } = ledOn(state, item);
  const count = Math.max(
    1,
    Math.ceil(content.ops.length / ERASED_PER_OP_MAX),
    Math.ceil(replaced.length / SUPERSEDED_TOGETHER_MAX),
  );
  return Array.from({ length: count }, (_, n): DomainEvent => {
    const items = part(replaced, n, SUPERSEDED_TOGETHER_MAX);
    const data = {
      itemId,
      folderId,
      inKb,
      chunkIds: n === 0 ? [...content.chunkIds] : [],
      receiptId,
      erased: part(content.ops, n, ERASED_PER_OP_MAX),
      ...(items.length > 0 && { ledOn: { items, to } }),
      more: n + 1 < count,
    };
    return { type: 'item.forgotten', data };
  });
};

/** The ops that forget an item whose ops are all in the library. */
export const forgetEvents = (state: WorkspaceState, item: ItemState, receiptId: string): DomainEvent[] =>
  itemForgotten(state, item, settledContent(item), receiptId);

export const decideForgetItem = (
  state: WorkspaceState,
  { data, principal }: Decidable<Forgetting<CommandData<'item.forget'>>>,
): Decision => {
  const { command, receiptId } = data;
  const item = visibleItem(state, reachOf(principal), command.itemId, 'id');
  checkTier(state, item, command.surface);
  return decided(receiptId, ...forgetEvents(state, item, receiptId));
};

/** The item that has the chunk, if the caller may see it. */
const itemOfChunk = (
  state: WorkspaceState,
  principal: Principal,
  { chunkId, itemId }: CommandData<'chunk.forget'>,
): ItemState => {
  const owner = [...state.items.values()].find(({ content }) => content?.chunkIds.includes(chunkId));
  if (!owner || (itemId !== undefined && owner.id !== itemId)) throw notFound('chunk');
  try {
    return visibleItem(state, reachOf(principal), owner.id, 'id');
  } catch {
    // The caller named a chunk, so the error names the chunk.
    throw notFound('chunk');
  }
};

/** An item without chunks would be an empty shell with a title, so forgetting the last chunk forgets its item too. */
export const decideForgetChunk = (
  state: WorkspaceState,
  { data, principal }: Decidable<Forgetting<CommandData<'chunk.forget'>>>,
): Decision => {
  const { command, receiptId } = data;
  const item = itemOfChunk(state, principal, command);
  checkTier(state, item, command.surface);
  const content = settledContent(item);
  const { id: itemId, folderId } = item;
  const first: DomainEvent = {
    type: 'chunk.forgotten',
    data: { chunkId: command.chunkId, itemId, folderId, receiptId },
  };
  const isLast = content.chunkIds.length === 1;
  return decided(receiptId, first, ...(isLast ? itemForgotten(state, item, content, receiptId) : []));
};

export const decideIssueReceipt = (
  state: WorkspaceState,
  { data, principal }: Decidable<EventData<'receipt.issued'>>,
): Decision => {
  if (principal.tokenId !== SYSTEM_TOKEN_ID) throw fail('scope.missing', 'receipts are issued by the installation');
  const receipt = state.receipts.get(data.receiptId);
  if (!receipt) throw notFound('receipt', { field: 'receiptId' });
  return receipt.issued ? alreadyDone(data.receiptId) : decided(data.receiptId, { type: 'receipt.issued', data });
};
