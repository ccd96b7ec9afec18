/** Every bound has a name here, so that an error, a schema and a test speak of the same number. */
export const TITLE_CHARS_MAX = 200;
export const KNOWLEDGE_BODY_CHARS_MAX = 32_000;
export const ITEM_TITLE_CHARS_MAX = 500;
export const ITEM_TEXT_CHARS_MAX = 500_000;
export const TAGS_MAX = 16;
export const TAG_CHARS_MAX = 64;
export const QUERY_CHARS_MAX = 2_000;
export const NAME_CHARS_MAX = 120;
export const SLUG_CHARS_MAX = 64;
export const README_CHARS_MAX = 8_000;
export const SOURCE_NAME_CHARS_MAX = 500;
export const SOURCE_URI_CHARS_MAX = 2_000;
export const TASK_ID_CHARS_MAX = 128;
export const FOLDERS_PER_TOKEN_MAX = 100;
export const RATE_PER_HOUR_MAX = 1_000_000;
export const RATE_PER_HOUR_DEFAULT = 1_000;
export const TOKENS_PER_RECALL_MAX = 100_000;
/** The SDKs refuse a token without an expiry, so one that was issued without gets this life. */
export const TOKEN_LIFE_DAYS_DEFAULT = 365;

export const PAGE_LIMIT_DEFAULT = 20;
export const PAGE_LIMIT_MAX = 100;

export const KB_SEARCH_LIMIT_DEFAULT = 8;
export const KB_SEARCH_LIMIT_MAX = 20;
export const KNOWLEDGE_SEARCH_LIMIT_DEFAULT = 10;
export const KNOWLEDGE_SEARCH_LIMIT_MAX = 50;
export const EF_SEARCH_DEFAULT = 64;
export const EF_SEARCH_MAX = 200;
/** How deep each leg looks before fusion: API.md section 5 asks for at least 100. */
export const LEG_CANDIDATES = 100;
export const SNIPPET_CHARS = 240;

export const CHUNK_TOKENS_TARGET = 400;
export const CHUNK_TOKENS_MAX = 480;
/** Chunks per op: keeps an op far below the broker's payload limit; longer texts continue in `item.extended`. */
export const CHUNKS_PER_OP_MAX = 64;

/** `clientToken` of `store_knowledge`. */
export const CLIENT_TOKEN_LIFE_MS = 60_000;

export const BODY_BYTES_MAX = 1_048_576;
export const JSON_DEPTH_MAX = 32;
export const JSON_NODES_MAX = 50_000;
export const REQUEST_ID_CHARS_MAX = 256;
export const BATCH_MESSAGES_MAX = 20;

export const COMMANDS_IN_FLIGHT_PER_WORKSPACE = 64;
export const QUERIES_IN_FLIGHT_PER_WORKSPACE = 64;
export const COMMAND_TIMEOUT_MS = 15_000;
export const QUERY_TIMEOUT_MS = 10_000;
/** How long a read with `atLeast` waits for its projection before it answers `stale: true`. */
export const AT_LEAST_WAIT_MS = 1_000;
export const EMBED_QUERY_TIMEOUT_MS = 3_000;

/** Every model in use has this many dimensions; another number needs a new version of the `vectors` projection. */
export const VECTOR_DIMENSIONS = 384;
