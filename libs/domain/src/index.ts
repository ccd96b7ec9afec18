/**
 * Pure rules: `decide` from state and command, `evolve` from state and event; the chunker and the token counter. Never
 * awaits, reads a clock or creates an id.
 */
export {
  connectedAccount,
  decideConfigureAccount,
  decideConnectAccount,
  decideDisconnectAccount,
  type AccountChange,
  type SealedAccount,
} from './account.decider.js';
export { decideAttachItem, type Attachment } from './attach.decider.js';
export { chunkText, type TextChunk } from './chunker.js';
export { commitLinks, linkingCommit } from './commit-links.js';
export { commandRecord } from './command-record.js';
export { decideCommitItem, type Commit, type CommitPart, type Committed } from './commit.decider.js';
export { decideResolveConfirmation, type OpenedMemory, type Resolving } from './confirmation.decider.js';
export { proposeByRules } from './correction-rules.js';
export { decideCorrectChunk, type SealedCorrection } from './correction.decider.js';
export { alreadyDone, decided, type Decidable, type Decision } from './decision.js';
export { headingPaths, type Heading, type HeadingPaths } from './heading-paths.js';
export {
  CANDIDATES_MAX,
  normalisedName,
  resolveFolder,
  type FolderCandidate,
  type NamedFolder,
  type Resolution,
} from './engram-resolver.js';
export {
  decideObserveChunk,
  decideObserveText,
  decideReviewEdge,
  observedEvents,
  type Observation,
  type SealedFindings,
} from './edge.decider.js';
export { slugFor } from './folder-slug.js';
export { decideConfigureFolder, decideCreateFolder } from './folder.decider.js';
export { decideForgetChunk, decideForgetItem, decideIssueReceipt, type Forgetting } from './forget.decider.js';
export {
  decideAddLinks,
  decideRemoveLink,
  linksAdded,
  linksOfNewItem,
  type NamedLink,
  type NewLinks,
} from './link.decider.js';
export { decideStoreItem, itemEvents, type ItemOrigin, type SealedItem } from './item.decider.js';
export { decideMergeEntities, decideSplitEntities, type SealedMerge } from './merge.decider.js';
export { decideUpdateItem, type ItemChange } from './placement.decider.js';
export { decideRemember, type Memory, type Remembered } from './remember.decider.js';
export { decideSetQuota } from './quota.decider.js';
export { earlierCommand, keyReused, type NamedCommand } from './repeated-command.js';
export {
  changedSecrets,
  decideConfigureServer,
  decidePinServer,
  decideRegisterServer,
  decideRemoveServer,
  type ConfiguringServer,
  type RegisteringServer,
  type ResealedServer,
} from './server.decider.js';
export {
  clientTokenKey,
  EMPTY_STATE,
  mirrorKey,
  evolve,
  type AccountState,
  type ClientTokenState,
  type CommandState,
  type ErasableContent,
  type ConfirmationState,
  type FolderState,
  type ItemState,
  type MirrorState,
  type LinkState,
  type MergeState,
  type QuotaState,
  type ServerState,
  type WorkspaceState,
} from './state.js';
export { originOf, stateEdges, type ChunkStatement, type EvidenceText } from './stated-edges.js';
export {
  decideImportObservations,
  decidePurgeObservations,
  type ObservationsImport,
  type ObservationsPurge,
  type PurgedBatch,
  type SealedBatch,
} from './series.decider.js';
export { decideSupersedeItem, replacements } from './supersession.decider.js';
export { decideSyncItem, type Synced, type SyncedItem } from './sync.decider.js';
export { decideIssueToken, decideRevokeToken } from './token.decider.js';
export { countTokens } from './token-counter.js';
export { decideCreateWorkspace, DEFAULT_FOLDER } from './workspace.decider.js';
