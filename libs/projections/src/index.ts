/**
 * Read models: one folder per projection with its tables and its handler; slots, checkpoints and the swap.
 * Refuses queries: whoever reads ranks in `@cairn/retrieval`.
 */
export { archiveProjection, erasedBody } from './archive/archive.projection.js';
export { archiveTables } from './archive/archive.schema.js';
export { ERASURE_STEPS, findLeftovers, type ErasureStep, type StoreFinding } from './erasure/erasure-steps.js';
export {
  findForgettings,
  forgettingBacklog,
  markShredded,
  shreddedForgettings,
  unshreddedForgettings,
  type Backlog,
  type ErasureStores,
  type Forgetting,
} from './erasure/erasure-stores.js';
export {
  findRevived,
  LEDGER_CHECKPOINT,
  ledgerEntriesOf,
  moveLedgerCheckpoint,
  unrecordedForgettings,
  type Revived,
} from './erasure/ledger-rows.js';
export { purgeOpenSearch, purgePostgres } from './erasure/purge.js';
export { hashTables, type TableHash } from './canonical-hash.js';
export * from './lexical/index.js';
export { lexicalLibrary, OpenSearchTarget, type OpenSearchTargetOptions } from './lexical/opensearch.target.js';
export { removeSensitiveDocuments } from './lexical/sensitive-documents.js';
export { postgresLexicalProjection } from './lexical/lexical.projection.js';
export { libraryProjection } from './library/library.projection.js';
export { libraryIndexes, libraryTables } from './library/library.schema.js';
export { PostgresTarget, type Member } from './postgres-target.js';
export type { PostgresProjection, StatementSink, Write } from './projection.js';
export { rewrapRows, type RewrapCounts } from './rotation/rewrap-rows.js';
export {
  CHECKPOINT_ONLY,
  createIndexes,
  dropSlot,
  ensureSlot,
  hasTables,
  nextSlotName,
  promoteSlot,
  readSlot,
  setCheckpoint,
  type Slot,
  type SlotShape,
} from './slots.js';
export { vectorsProjection } from './vectors/vectors.projection.js';
export { vectorsIndexes, vectorsTables } from './vectors/vectors.schema.js';
