import type { CommandData, LoggedCommandType } from '@cairn/contracts';
import { canonicalJson } from '@cairn/op-log';
import type { InstanceSecrets } from '@cairn/vault';

/** What is made anew each time a request is sent: a repeat differs in it and is the same request all the same. */
const MADE_ANEW: { readonly [T in LoggedCommandType]?: readonly (keyof CommandData<T>)[] } = {
  'workspace.create': ['adminToken'],
  // Left out of a request, the expiry is counted from now.
  'token.issue': ['tokenId', 'secretHash', 'expiresAt'],
  'receipt.issue': ['stores', 'issuedAt', 'keyId', 'signature'],
};

/** A name of the call, and nothing that it asks for. */
const CLIENT_TOKEN = 'clientToken';

/** Of everything that a command asks for, its type included: another command under the same id has another one. */
export const payloadHashOf = (
  secrets: InstanceSecrets,
  workspaceId: string,
  type: LoggedCommandType,
  data: object,
): string => {
  const leftOut: readonly string[] = [CLIENT_TOKEN, ...(MADE_ANEW[type] ?? [])];
  const asked = Object.fromEntries(Object.entries(data).filter(([field]) => !leftOut.includes(field)));
  return secrets.payloadHash(workspaceId, canonicalJson([type, asked]));
};
