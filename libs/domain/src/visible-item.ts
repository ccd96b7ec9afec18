import { notFound, sees, type Reader } from '@cairn/access';
import type { ItemState, WorkspaceState } from './state.js';

/** An item that the caller may not see looks exactly like one that does not exist. */
export const visibleItem = (state: WorkspaceState, reader: Reader, itemId: string, field: string): ItemState => {
  const item = state.items.get(itemId);
  if (item && sees(reader, { ...item, tier: state.folders.get(item.folderId)?.tier })) return item;
  throw notFound('item', { field });
};
