// How long a forgotten text may remain, and where.

/** Ops that one `item.forgotten` names as erased; further ops name the rest. */
export const ERASED_PER_OP_MAX = 1_000;
/** In keys, messages and rows, and on the disk below them. */
export const FORGOTTEN_SHREDDED_MS_MAX = 60_000;
export const FORGOTTEN_PURGED_MS_MAX = 24 * 60 * 60_000;
/** How long a process may keep a key in memory after creating it. */
export const KEY_IN_MEMORY_MS_MAX = 30_000;
