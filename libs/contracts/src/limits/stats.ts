// The answer of `stats`.

/** Folders that it lists, by slug. */
export const STATS_GRAPHS_MAX = 1_000;
/** The length of a folder's readme in it, and of all its readmes together. */
export const STATS_README_CHARS_MAX = 500;
export const STATS_READMES_CHARS_MAX = 20_000;
