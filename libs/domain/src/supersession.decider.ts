import { fail, type CommandData, type Principal } from '@cairn/contracts';
import { alreadyDone, decided, type Decidable, type Decision } from './decision.js';
import type { ItemState, WorkspaceState } from './state.js';

const visibleItem = (state: WorkspaceState, principal: Principal, itemId: string, field: string): ItemState => {
  const item = state.items.get(itemId);
  const inScope = item !== undefined && (principal.isUnscoped || principal.folderIds.includes(item.folderId));
  if (!inScope) throw fail('item.not_found', 'there is no such entry', { field });
  return item;
};

/** The item and everything that replaces it, in order; the last is the one that search shows. */
export const replacements = (items: WorkspaceState['items'], itemId: string): string[] => {
  const chain: string[] = [];
  for (let id: string | null = itemId; id !== null; id = items.get(id)?.supersededById ?? null) {
    if (chain.includes(id)) break;
    chain.push(id);
  }
  return chain;
};

/** Everything whose chain leads through the item, itself included. */
const replacedBy = (items: WorkspaceState['items'], itemId: string): string[] => {
  const found = [itemId];
  for (const id of found) {
    for (const item of items.values()) if (item.supersededById === id && !found.includes(item.id)) found.push(item.id);
  }
  return found;
};

export const decideSupersedeItem = (
  state: WorkspaceState,
  { data, principal }: Decidable<CommandData<'item.supersede'>>,
): Decision => {
  const old = visibleItem(state, principal, data.oldId, 'oldId');
  const replacement = visibleItem(state, principal, data.newId, 'newId');
  if (old.createdByAgentId !== principal.agentId && replacement.createdByAgentId !== principal.agentId) {
    throw fail('knowledge.not_owner', 'the calling agent must own at least one of the two entries', { field: 'oldId' });
  }
  const chain = replacements(state.items, replacement.id);
  if (chain.includes(old.id)) {
    throw fail('knowledge.cycle', 'newId is replaced by oldId already: this would close a circle', { field: 'newId' });
  }
  if (old.supersededById === replacement.id) return alreadyDone(old.id);
  return decided(old.id, {
    type: 'item.superseded',
    data: {
      itemId: old.id,
      byItemId: replacement.id,
      updatedIds: replacedBy(state.items, old.id),
      headId: chain.at(-1)!,
    },
  });
};
