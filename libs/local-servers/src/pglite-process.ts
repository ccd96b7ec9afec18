/** What the PGlite process and its parent agree on. */

/** The directory cannot be opened: delete it and build it anew. */
export const EXIT_CORRUPT = 43;
/** Anything else, such as a port in use or a missing permission. */
export const EXIT_FAILED = 44;

/** A segment of the write-ahead log that is done goes away: used again it would carry on what was forgotten. */
export const PGLITE_SETTINGS: readonly string[] = ['shared_buffers=64MB', 'wal_recycle=off'];
