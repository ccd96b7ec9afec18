// What an agent attaches to a commit, and queries for it by `carabase_query_metadata`.

export const EXTRA_METADATA_BYTES_MAX = 16_384;
export const COMMIT_SOURCES_MAX = 64;
export const METADATA_LIMIT_DEFAULT = 20;
export const METADATA_LIMIT_MAX = 100;
/** How many items a structured query counts, and how many it decrypts to read sealed tags and names. */
export const METADATA_TOTAL_MAX = 1_000;
export const METADATA_OPENED_MAX = 20_000;
