/**
 * The ids of an answer's entries, as a text next to the list: some clients show a model only the texts, and the
 * published form of a search answer has no ids. One line for each entry, with its number in the list.
 */
export const references = (head: string, ids: readonly string[]): { readonly references?: string } =>
  ids.length === 0 ? {} : { references: [head, ...ids.map((id, i) => `${i + 1}. ${id}`)].join('\n') };

/** For the tools whose hits and items `get_item` accepts. */
export const itemReferences = (itemIds: readonly string[]): { readonly references?: string } =>
  references(
    'For the full text of an entry above, call get_item with its item_id:',
    itemIds.map((itemId) => `item_id ${itemId}`),
  );
