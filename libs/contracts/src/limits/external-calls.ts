// Calls of tools of external MCP servers.

export const EXTERNAL_CALL_MS_MAX = 30_000;
export const EXTERNAL_RESULT_BYTES_MAX = 262_144;
export const EXTERNAL_IMAGE_BYTES_MAX = 1_048_576;
/** A connection to a server is closed after this time without use. */
export const EXTERNAL_IDLE_MS_MAX = 300_000;
/** Calls of one workspace that wait for external servers at the same time. */
export const EXTERNAL_CALLS_IN_FLIGHT_PER_WORKSPACE = 8;
