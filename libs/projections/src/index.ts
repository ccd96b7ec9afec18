/**
 * Read models: one folder per projection with its tables and its handler; slots, checkpoints and the swap.
 * Refuses queries: whoever reads ranks in `@cairn/retrieval`.
 */
export { archiveProjection } from './archive/archive.projection.js';
export { archiveTables } from './archive/archive.schema.js';
export { hashTables, type TableHash } from './canonical-hash.js';
export * from './lexical/index.js';
export { lexicalDocumentsOf, OpenSearchTarget, type OpenSearchTargetOptions } from './lexical/opensearch.target.js';
export { postgresLexicalProjection } from './lexical/lexical.projection.js';
export { libraryProjection } from './library/library.projection.js';
export { libraryTables } from './library/library.schema.js';
export { PostgresTarget, type Member } from './postgres-target.js';
export type { PostgresProjection, StatementSink, Write } from './projection.js';
export { dropSlot, ensureSlot, hasTables, nextSlotName, promoteSlot, readSlot, type Slot } from './slots.js';
export { vectorsProjection } from './vectors/vectors.projection.js';
export { vectorsTables } from './vectors/vectors.schema.js';
