// Searches by words and by meaning.

export const KB_SEARCH_LIMIT_DEFAULT = 8;
export const KB_SEARCH_LIMIT_MAX = 20;
export const KNOWLEDGE_SEARCH_LIMIT_DEFAULT = 10;
export const KNOWLEDGE_SEARCH_LIMIT_MAX = 50;
/** Limits of `carabase_search_semantic`. */
export const SEMANTIC_K_DEFAULT = 10;
export const SEMANTIC_K_MAX = 50;
export const SEMANTIC_MIN_SIMILARITY_DEFAULT = 0.3;
export const EF_SEARCH_DEFAULT = 64;
export const EF_SEARCH_MAX = 200;
/**
 * How many candidates each leg returns before fusion. With fewer, an item that ranks well in both legs can be missed.
 */
export const LEG_CANDIDATES = 100;
