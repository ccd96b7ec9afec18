import { AccountSecrets } from '@cairn/contracts';
import { fieldAad, open, seal } from './cipher.js';

/** Label, settings and credential of an account are sealed under the account's own key only. */
const aadOf = (workspaceId: string, accountId: string): string =>
  fieldAad(workspaceId, accountId, 'connector.connected', 1);

export const sealAccount = (key: Uint8Array, workspaceId: string, accountId: string, secrets: AccountSecrets): Buffer =>
  seal(key, aadOf(workspaceId, accountId), Buffer.from(JSON.stringify(secrets)));

export const openAccount = (
  key: Uint8Array,
  workspaceId: string,
  accountId: string,
  sealed: Uint8Array,
): AccountSecrets => AccountSecrets.parse(JSON.parse(open(key, aadOf(workspaceId, accountId), sealed).toString()));
