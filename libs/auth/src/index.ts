/**
 * Tokens as text: how one is minted, parsed and compared. Whether a token is known, and what it may do, is answered
 * over the wire (`token.resolve`). Never uses a database or HTTP.
 */
export { grantFor, type AskedToken } from './grant.js';
export { constantTimeEqual, mintToken, parseToken, secretHashOf, type MintedToken, type ParsedToken } from './token.js';
export {
  ensureFirstWorkspace,
  isGoodToken,
  issueAdminToken,
  issueAgentToken,
  type FirstWorkspace,
  type FirstWorkspaceOptions,
} from './first-workspace.js';
