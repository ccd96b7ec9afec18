/** The entry that follows in a list, or else the one before; undefined for the only entry. */
export const neighbourOf = <T>(entries: readonly T[], entry: T): T | undefined => {
  const at = entries.indexOf(entry);
  return at < 0 ? undefined : (entries[at + 1] ?? entries[at - 1]);
};
