/** FNV-1a, then a final mix: without it, ids that differ in their last characters only would score alike. */
const scoreOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

/**
 * The owner of a key among some ids: the same for everyone who knows the same ids. When one leaves or joins, only its own
 * keys move.
 */
export const ownerAmong = (ids: Iterable<string>, key: string): string | undefined => {
  let best: { readonly id: string; readonly score: number } | undefined;
  for (const id of ids) {
    const score = scoreOf(`${id}/${key}`);
    if (!best || score > best.score || (score === best.score && id > best.id)) best = { id, score };
  }
  return best?.id;
};
