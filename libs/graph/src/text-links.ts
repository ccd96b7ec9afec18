/** An id by itself, or at the end of `carabase://artifact/…` or `drobek://knowledge/…`. */
const ITEM_ID = /(?<![0-9a-z-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-z-])/giu;

/**
 * The item ids in a text, each once, in text order; the reader finds out whether such an item exists. An item's own id
 * in its text does not count.
 */
export const itemIdsIn = (text: string, self: string, max: number): string[] => {
  const ids = new Set((text.match(ITEM_ID) ?? []).map((id) => id.toLowerCase()));
  ids.delete(self);
  return [...ids].slice(0, max);
};
