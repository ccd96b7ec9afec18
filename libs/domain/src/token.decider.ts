import { notFound } from '@cairn/access';
import { fail, SYSTEM_TOKEN_ID, type CommandData, type TokenGrant } from '@cairn/contracts';
import { alreadyDone, decided, type Decidable, type Decision } from './decision.js';
import type { WorkspaceState } from './state.js';

/** A token's access is stated in only one way, and the admin scope always covers the whole workspace. */
const checkReach = ({ scopes, isUnscoped, folderIds }: TokenGrant): void => {
  if (isUnscoped && folderIds.length > 0) {
    throw fail('input.invalid', 'folderIds must be left out when isUnscoped is true', { field: 'folderIds' });
  }
  if (scopes.includes('admin') && !isUnscoped) {
    const message = 'isUnscoped must be true for the scope admin, which sees every folder of the workspace';
    throw fail('input.invalid', message, { field: 'isUnscoped' });
  }
};

export const decideIssueToken = (
  state: WorkspaceState,
  { data, atMs, principal }: Decidable<CommandData<'token.issue'>>,
): Decision => {
  if (state.tokens.has(data.tokenId)) return alreadyDone(data.tokenId);
  checkReach(data);
  const unknown = data.folderIds.findIndex((id) => !state.folders.has(id));
  if (unknown >= 0) throw notFound('folder', { field: `folderIds[${unknown}]` });
  if (Date.parse(data.expiresAt) <= atMs) {
    throw fail('input.invalid', 'expiresAt must be in the future', { field: 'expiresAt' });
  }
  // No token can issue an admin token for the whole installation; only the operator can.
  const instanceAdmin = principal.tokenId === SYSTEM_TOKEN_ID && data.scopes.includes('admin');
  return decided(data.tokenId, { type: 'token.issued', data: { ...data, instanceAdmin } });
};

export const decideRevokeToken = (
  state: WorkspaceState,
  { data }: Decidable<CommandData<'token.revoke'>>,
): Decision => {
  const token = state.tokens.get(data.tokenId);
  if (!token) throw notFound('token');
  return token.revoked ? alreadyDone(data.tokenId) : decided(data.tokenId, { type: 'token.revoked', data });
};
