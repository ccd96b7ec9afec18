// Items that are stored by one `POST /items:batch`.

export const BATCH_ITEMS_MAX = 100;
/**
 * Items of batches that a gateway stores at once, in total and for one workspace, and those that may wait for it. The
 * rest of the commands in flight of a workspace stays free for single requests.
 */
export const BATCH_ITEMS_IN_FLIGHT_MAX = 192;
export const BATCH_ITEMS_IN_FLIGHT_PER_WORKSPACE = 48;
export const BATCH_ITEMS_WAITING_MAX = 6_400;
export const BATCH_ITEMS_WAITING_PER_WORKSPACE = 1_600;
