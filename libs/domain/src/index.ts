/**
 * Pure rules: `decide` from state and command, `evolve` from state and event; the chunker and the token counter.
 * Refuses to await, to read a clock or to make an id.
 */
export { chunkText, type TextChunk } from './chunker.js';
export { commandRecord } from './command-record.js';
export { decideResolveConfirmation, type OpenedMemory, type Resolving } from './confirmation.decider.js';
export { proposeByRules } from './correction-rules.js';
export { decideCorrectChunk, type SealedCorrection } from './correction.decider.js';
export { alreadyDone, decided, type Decidable, type Decision } from './decision.js';
export {
  CANDIDATES_MAX,
  normalisedName,
  resolveFolder,
  type FolderCandidate,
  type NamedFolder,
  type Resolution,
} from './engram-resolver.js';
export { slugFor } from './folder-slug.js';
export { decideConfigureFolder, decideCreateFolder } from './folder.decider.js';
export { decideForgetChunk, decideForgetItem, decideIssueReceipt, type Forgetting } from './forget.decider.js';
export { decideStoreItem, type SealedItem } from './item.decider.js';
export { decideUpdateItem, type ItemChange } from './placement.decider.js';
export { decideRemember, type Memory, type Remembered } from './remember.decider.js';
export { decideSetQuota } from './quota.decider.js';
export { earlierCommand, keyReused, type NamedCommand } from './repeated-command.js';
export {
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
  evolve,
  type ClientTokenState,
  type CommandState,
  type ErasableContent,
  type ConfirmationState,
  type FolderState,
  type ItemState,
  type QuotaState,
  type ServerState,
  type WorkspaceState,
} from './state.js';
export { decideSupersedeItem, replacements } from './supersession.decider.js';
export { decideIssueToken, decideRevokeToken } from './token.decider.js';
export { countTokens } from './token-counter.js';
export { decideCreateWorkspace, DEFAULT_FOLDER } from './workspace.decider.js';
