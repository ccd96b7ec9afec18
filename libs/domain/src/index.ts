/**
 * Pure rules: `decide` from state and command, `evolve` from state and event; the chunker and the token counter.
 * Refuses to await, to read a clock or to make an id.
 */
export { chunkText, type TextChunk } from './chunker.js';
export { commandRecord } from './command-record.js';
export { alreadyDone, decided, type Decidable, type Decision } from './decision.js';
export { decideConfigureFolder, decideCreateFolder } from './folder.decider.js';
export { decideStoreItem, type SealedItem } from './item.decider.js';
export {
  clientTokenKey,
  EMPTY_STATE,
  evolve,
  type Cause,
  type ClientTokenState,
  type CommandState,
  type FolderState,
  type ItemState,
  type WorkspaceState,
} from './state.js';
export { decideSupersedeItem, replacements } from './supersession.decider.js';
export { decideIssueToken, decideRevokeToken } from './token.decider.js';
export { countTokens } from './token-counter.js';
export { decideCreateWorkspace, DEFAULT_FOLDER } from './workspace.decider.js';
