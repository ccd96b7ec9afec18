import { ServerSecrets } from '@cairn/contracts';
import { fieldAad, open, seal } from './cipher.js';

/** Address and credential of an external server are sealed under the server's own key only. */
const aadOf = (workspaceId: string, serverId: string): string =>
  fieldAad(workspaceId, serverId, 'server.registered', 1);

export const sealServerSecrets = (
  key: Uint8Array,
  workspaceId: string,
  serverId: string,
  secrets: ServerSecrets,
): Buffer => seal(key, aadOf(workspaceId, serverId), Buffer.from(JSON.stringify(secrets)));

export const openServerSecrets = (
  key: Uint8Array,
  workspaceId: string,
  serverId: string,
  sealed: Uint8Array,
): ServerSecrets => ServerSecrets.parse(JSON.parse(open(key, aadOf(workspaceId, serverId), sealed).toString()));
