/**
 * Read models: one folder per projection with its tables and its handler; slots, checkpoints and the swap. Contains no
 * queries: reading and ranking are in `@cairn/retrieval`.
 */
export { erasedBody, isErasedBody } from './archive/archive.projection.js';
export {
  buildOf,
  goLive,
  nextVersion,
  outdatedVersions,
  passErased,
  recordLive,
  replaceable,
  standingOf,
  wantPrevious,
  type Build,
  type Replaceable,
  type Standing,
} from './builds.js';
export { hashTables, type TableComparison, type TableHash } from './canonical-hash.js';
export { ERASURE_STEPS, findLeftovers, type ErasureStep, type StoreFinding } from './erasure/erasure-steps.js';
export {
  findForgettings,
  forgettingBacklog,
  markShredded,
  shreddedForgettings,
  unshreddedForgettings,
  type Backlog,
  type Forgetting,
} from './erasure/forgettings.js';
export {
  findRevived,
  forgottenChunks,
  LEDGER_CHECKPOINT,
  ledgerEntriesOf,
  moveLedgerCheckpoint,
  unrecordedForgettings,
  type Revived,
} from './erasure/ledger-rows.js';
export { purgeProjections } from './erasure/purge.js';
export { dropAbandonedVersions } from './erasure/versions-beside.js';
export { commitsWithLibrary, followersReached } from './followers.js';
export { linkId } from './graph/link-id.js';
export { dropVersion, homeOf, memberOf, type Home, type Inspection, type OutsidePostgres } from './home.js';
export * from './lexical/index.js';
export {
  Folders,
  LIBRARY_ENTITIES,
  Tokens,
  Workspaces,
  type FolderRow,
  type TokenRow,
  type WorkspaceRow,
} from './library/library-entities.js';
export { PostgresTarget, type Member } from './postgres-target.js';
export {
  tableNames,
  type DeadRows,
  type Handler,
  type Projection,
  type StatementSink,
  type StreamName,
  type Streams,
  type Write,
} from './projection.js';
export { PROJECTIONS, READ_MODEL_SCHEMAS } from './projections.js';
export { columnsOf, missingColumns, objectToReplacements } from './read-columns.js';
export { archivedOps, type ArchivedOp } from './repair/archived-ops.js';
export { countKeyOwners, keyOwners, type KeyOwner } from './repair/key-owners.js';
export { countLostVectors, lostFailures, lostVectors, type LostVector } from './repair/lost-vectors.js';
export { keepSecretsCopy, readSecretsCopy } from './repair/secrets-copy.js';
export { rewrapRows, type RewrapCounts } from './rotation/rewrap-rows.js';
export {
  besideSlotName,
  createIndexes,
  dropSlot,
  ensureSlot,
  inTransaction,
  layoutOf,
  nextSlotName,
  promoteSlot,
  readSlot,
  readSlots,
  setCheckpoint,
  type Slot,
  type SlotShape,
} from './slots.js';
export { logOf, type EntryLog, type Stores } from './stores.js';
