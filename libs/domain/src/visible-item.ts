import { fail, type Principal } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import type { ItemState, WorkspaceState } from './state.js';

export const noSuchItem = (field = 'id'): AppError => fail('item.not_found', 'there is no such item', { field });

/** An item that the caller may not see looks exactly like one that does not exist. */
export const visibleItem = (state: WorkspaceState, principal: Principal, itemId: string, field: string): ItemState => {
  const item = state.items.get(itemId);
  const isVisible =
    item !== undefined &&
    (principal.isUnscoped || principal.folderIds.includes(item.folderId)) &&
    (item.inKb || !principal.kbOnly);
  if (!isVisible) throw noSuchItem(field);
  return item;
};
