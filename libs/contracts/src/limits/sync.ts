// What one `POST /accounts/{id}/sync` reads from a source.
import { EXTERNAL_REF_CHARS_MAX } from './accounts.js';

/** Documents that it stores, those that are read at once, and failures that it names. */
export const SYNC_ENTRIES_MAX = 1_000;
export const SYNC_IN_FLIGHT_MAX = 4;
export const SYNC_FAILURES_SHOWN_MAX = 20;
/** Documents that one call looks at; the next one continues after them. */
export const SYNC_LISTED_MAX = 20_000;
/** The cursor: a source's name for a document, three bytes per character, in base64. */
export const SYNC_CURSOR_CHARS_MAX = 4 * EXTERNAL_REF_CHARS_MAX;
/** Earlier states of a document that lead straight to the newest one after a change; older ones lead to it in steps. */
export const SYNC_SUPERSEDED_MAX = 100;
