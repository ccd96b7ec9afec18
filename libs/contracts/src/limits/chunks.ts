// The segments into which a text is split.

export const CHUNK_TOKENS_TARGET = 400;
export const CHUNK_TOKENS_MAX = 480;
/** A chunk is also bounded in characters, however many tokens they make. */
export const CHUNK_CHARS_MAX = 6 * CHUNK_TOKENS_MAX;
/** In a text with more pages, pages share chunks: each chunk costs a key and a vector, and a page may be one letter. */
export const PAGES_APART_MAX = 2_000;
/**
 * Chunks per op. The bound keeps an op far below the broker's payload limit; longer texts continue in `item.extended`.
 */
export const CHUNKS_PER_OP_MAX = 64;
