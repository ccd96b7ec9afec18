// How many commands and queries are in flight, and how long each step of them may take.
import { CORRECTION_MODEL_TIMEOUT_MS } from './corrections.js';

export const COMMANDS_IN_FLIGHT_PER_WORKSPACE = 64;
export const QUERIES_IN_FLIGHT_PER_WORKSPACE = 64;
export const COMMAND_TIMEOUT_MS = 15_000;
/** The timeout of `chunk.propose`, which may have to wait for a model. */
export const PROPOSE_TIMEOUT_MS = CORRECTION_MODEL_TIMEOUT_MS + 5_000;
export const QUERY_TIMEOUT_MS = 10_000;
/** One statement of a search, in Postgres, PGlite or OpenSearch, is aborted after this time. */
export const SEARCH_STATEMENT_MS_MAX = 3_000;
/**
 * Connections of a search process for search statements, and so the number of statements that run at once; a workspace
 * may use all but one. The embedded database runs one statement at a time: statements that wait inside it can no longer
 * be reordered.
 */
export const SEARCH_CONNECTIONS = 8;
export const SEARCH_CONNECTIONS_EMBEDDED = 4;
/** How long a read with `atLeast` waits for its projection before it answers `stale: true`. */
export const AT_LEAST_WAIT_MS = 1_000;
/**
 * How long a command that adds, changes or removes an item waits for the keyword index before it is answered without
 * it.
 */
export const KEYWORD_INDEX_WAIT_MS = 2_000;
export const EMBED_QUERY_TIMEOUT_MS = 3_000;
