/**
 * The log of record on JetStream: append with an expected head, hash chain, readers, the projector loop. Knows nothing
 * about the meaning of an event: `@cairn/domain` decides, `@cairn/projections` projects.
 */
export { embeddingProgress, type EmbeddingProgress } from './embedding-progress.js';
export { ForgetLedger } from './forget-ledger.js';
export { canonicalJson, decodeEnvelope, decodeOp, isIntact } from './hash-chain.js';
export { JetStreamOpLog } from './jetstream-op-log.js';
export type { AppendOutcome, EntryReader, NewOp, OpLog, StoredOp, WorkspaceHead } from './op-log.port.js';
export { Lease } from './lease.js';
export {
  ALWAYS_OURS,
  Projector,
  type Checkpoint,
  type ProjectionTarget,
  type ProjectorListener,
  type Turn,
} from './projector.js';
export { checkServer, type ServerCheck } from './server-check.js';
export { StreamRefill, type LostMessage } from './stream-refill.js';
export { raiseReplicas } from './stream-replicas.js';
export { StreamReader, type StreamEntry } from './stream-reader.js';
export {
  createStream,
  isNoStream,
  replaceStream,
  setGeneration,
  streamState,
  type ReplacedStream,
  type StreamState,
} from './stream-state.js';
export { ensureStreams } from './streams.js';
export { VectorLog, type StoredVector } from './vector-log.js';
export { VectorModelStore } from './vector-model-store.js';
