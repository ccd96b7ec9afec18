// Rows of observations, and queries over them.

/** Rows and columns of a file, rows of one command and of one chunk, and the lengths of a row's id and category. */
export const SERIES_FILE_ROWS_MAX = 200_000;
export const SERIES_FILE_COLUMNS_MAX = 256;
export const OBSERVATIONS_PER_IMPORT_MAX = 5_000;
export const OBSERVATIONS_PER_CHUNK_MAX = 12;
export const OBSERVATION_ID_CHARS_MAX = 128;
export const OBSERVATION_CATEGORY_CHARS_MAX = 120;
/** A metric is stored with six decimals; above this bound a sum would lose digits. */
export const OBSERVATION_METRIC_MAX = 1_000_000_000;
/** Batches that one purge command forgets; a longer purge takes several commands, each covering whole months. */
export const PURGED_BATCHES_PER_COMMAND_MAX = 64;
export const SERIES_RANGE_YEARS_MAX = 10;
export const SERIES_BUCKETS_MAX = 4_000;
export const SERIES_NAME_CHARS_MAX = 64;
