// What `recall` returns, and how much each folder contributes to it.

export const RECALL_TOP_K_DEFAULT = 8;
export const RECALL_TOP_K_MAX = 32;
export const RECALL_MIN_SCORE_DEFAULT = 0.3;
/** Names in the argument `graphs`. */
export const GRAPHS_PER_RECALL_MAX = 100;
/** The highest cap that a folder may have, in tokens. */
export const TOKENS_PER_RECALL_MAX = 100_000;
/** How many tokens a folder without its own cap may contribute to one answer; a sensitive folder contributes none. */
export const TOKENS_PER_RECALL_PUBLIC = 4_000;
export const TOKENS_PER_RECALL_PERSONAL = 2_000;
export const TOKENS_PER_RECALL_SENSITIVE = 0;
