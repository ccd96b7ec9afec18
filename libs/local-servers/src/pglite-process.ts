/** Constants that the PGlite process and its parent share. */

/** The directory cannot be opened: delete it and rebuild it. */
export const EXIT_CORRUPT = 43;
/** Anything else, such as a port in use or a missing permission. */
export const EXIT_FAILED = 44;

/** A finished segment of the write-ahead log is removed: a recycled one would still hold forgotten content. */
export const PGLITE_SETTINGS: readonly string[] = ['shared_buffers=64MB', 'wal_recycle=off'];
