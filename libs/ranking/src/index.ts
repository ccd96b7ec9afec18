/**
 * The ranking functions in the database: the SQL that searches call. Ingest installs them with the tables they read;
 * search calls them through `@cairn/retrieval`. Does not run a search, fuse scores or decrypt texts.
 */
export { NEIGHBOURS } from './entries.sql.js';
export { FIRST_BODY_COLUMNS, joinFirstBody, type FirstBody } from './first-body.sql.js';
export { GRAPH_IS_NAMED } from './folders.sql.js';
export { HYBRID_WEIGHTS } from './hybrid-search.sql.js';
export { installRanking } from './install-ranking.js';
export { EXACT_CHUNKS_MAX } from './vector.sql.js';
export { createVectorIndex, dropVectorIndex, indexedVectors, vectorsOf, type IndexedVectors } from './vector-index.js';
