// What an external MCP server reports of its tools, and how long that takes.

/** `<server>__<tool>`; a longer name is cut and ends with a part of its hash. */
export const EXTERNAL_NAME_CHARS_MAX = 64;
export const EXTERNAL_DESCRIPTION_CHARS_MAX = 1_024;
export const EXTERNAL_SCHEMA_BYTES_MAX = 16_384;
export const EXTERNAL_SCHEMA_DEPTH_MAX = 8;
export const EXTERNAL_LIST_BYTES_MAX = 524_288;
export const EXTERNAL_LIST_PAGES_MAX = 8;
/** The time limit of a discovery, and how long a listing waits for one; after that, the listing omits the server. */
export const EXTERNAL_DISCOVERY_MS_MAX = 10_000;
export const EXTERNAL_LISTING_WAIT_MS = 3_000;
/** How long a gateway keeps a discovery, and the decrypted credentials of a workspace, in memory. */
export const EXTERNAL_CATALOGUE_MS = 60_000;
