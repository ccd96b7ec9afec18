import { readerOf } from '@cairn/access';
import {
  fail,
  SUPERSEDED_TOGETHER_MAX,
  SYNC_SUPERSEDED_MAX,
  type CommandData,
  type DomainEvent,
} from '@cairn/contracts';
import { assert } from '@cairn/kernel';
import { alreadyDone, decided, type Decidable, type Decision } from './decision.js';
import type { ItemState, WorkspaceState } from './state.js';
import { visibleItem } from './visible-item.js';

/** The item and all its replacements, in order; the last is the one that search shows. */
export const replacements = (items: WorkspaceState['items'], itemId: string): string[] => {
  const chain = new Set<string>();
  for (let item = items.get(itemId); item && !chain.has(item.id); item = items.get(item.supersededById ?? '')) {
    chain.add(item.id);
  }
  return [...chain];
};

/** Everything whose chain leads through the item: itself, then the nearest first. */
const replacedBy = (items: WorkspaceState['items'], itemId: string): string[] => {
  const replaced = new Map<string, string[]>();
  for (const { id, supersededById } of items.values()) {
    if (supersededById === null) continue;
    const older = replaced.get(supersededById);
    if (older) older.push(id);
    else replaced.set(supersededById, [id]);
  }
  const found = new Set([itemId]);
  for (const id of found) for (const older of replaced.get(id) ?? []) found.add(older);
  return [...found];
};

/** One op names all of them, and the size of an op is limited. */
const checkSize = (updatedIds: readonly string[]): void => {
  if (updatedIds.length <= SUPERSEDED_TOGETHER_MAX) return;
  const many = `${updatedIds.length} entries lead to oldId, and at most ${SUPERSEDED_TOGETHER_MAX} can be redirected at once`;
  throw fail('knowledge.chain_too_long', `${many}: store a new entry without superseding this one`, {
    field: 'oldId',
    limit: SUPERSEDED_TOGETHER_MAX,
  });
};

/**
 * The op by which a new item replaces another; nothing replaces either of them yet. Only the nearest of those that led to
 * the old one are redirected, so that the op does not grow with each change. The others lead to it in steps (ADR 0104).
 */
export const superseding = (state: WorkspaceState, old: ItemState, byItemId: string): DomainEvent => {
  assert(old.supersededById === null, 'only an item that nothing replaces may be replaced by a sync');
  const updatedIds = replacedBy(state.items, old.id).slice(0, SYNC_SUPERSEDED_MAX);
  return {
    type: 'item.superseded',
    data: { itemId: old.id, byItemId, updatedIds, headId: byItemId, inKb: old.inKb },
  };
};

export const decideSupersedeItem = (
  state: WorkspaceState,
  { data, principal }: Decidable<CommandData<'item.supersede'>>,
): Decision => {
  // Agents supersede entries, and see nothing in a sensitive folder, whatever their scopes.
  const reader = readerOf(principal, 'mcp');
  const old = visibleItem(state, reader, data.oldId, 'oldId');
  const replacement = visibleItem(state, reader, data.newId, 'newId');
  if (old.createdByAgentId !== principal.agentId && replacement.createdByAgentId !== principal.agentId) {
    throw fail('knowledge.not_owner', 'the calling agent must own at least one of the two entries', { field: 'oldId' });
  }
  if (old.id === replacement.id) {
    throw fail('knowledge.cycle', 'newId must be another entry than oldId', { field: 'newId' });
  }
  const chain = replacements(state.items, replacement.id);
  if (chain.includes(old.id)) {
    throw fail('knowledge.cycle', 'newId is replaced by oldId already: this would close a circle', { field: 'newId' });
  }
  if (old.supersededById === replacement.id) return alreadyDone(old.id);
  const updatedIds = replacedBy(state.items, old.id);
  checkSize(updatedIds);
  return decided(old.id, {
    type: 'item.superseded',
    data: {
      itemId: old.id,
      byItemId: replacement.id,
      updatedIds,
      headId: chain.at(-1)!,
      inKb: old.inKb,
    },
  });
};
