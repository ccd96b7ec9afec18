// External pages, fetched for `add_to_knowledge`.

/** The bytes are limited twice: as they arrive and unpacked. */
export const FETCH_BYTES_MAX = 2_097_152;
export const FETCH_REDIRECTS_MAX = 3;
export const FETCH_CONNECT_TIMEOUT_MS = 5_000;
export const FETCH_TIMEOUT_MS = 15_000;
export const FETCHES_IN_FLIGHT_PER_WORKSPACE = 4;
