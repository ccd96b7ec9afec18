// Texts that stay at their source and are fetched when they are asked for.

/** The size to which a text fetched from its source is compacted, and the limit that an account may set for one. */
export const MESH_TEXT_TOKENS_MAX = 4_000;
export const MESH_BATCH_TOKENS_DEFAULT = 4_000;
export const MESH_BATCH_TOKENS_MAX = 1_000_000;
/** Tokens that a workspace may fetch in a UTC day, unless its quota sets another limit. */
export const MESH_DAILY_TOKENS_DEFAULT = 200_000;
export const MESH_TIMEOUT_MS = 15_000;
export const MESH_BYTES_MAX = 2_097_152;
/** Per workspace and gateway process. */
export const MESH_IN_FLIGHT_PER_WORKSPACE = 2;
export const MESH_URI_CHARS_MAX = 2_000;
export const MESH_TOKEN_CHARS_MAX = 512;
/** How long a person's confirmation of one fetch can be used. */
export const MESH_CONFIRMATION_LIFE_MS = 15 * 60_000;
/** The summary that replaces the text of a hollow item. */
export const HOLLOW_TOKENS_MAX = 200;
