import { randomBytes, timingSafeEqual } from 'node:crypto';
import { MESH_CONFIRMATION_LIFE_MS } from '@cairn/contracts';
import type { InstanceSecrets } from '@cairn/vault';

const NONCE_BYTES = 16;
/** The one-letter field tells who may use it: the named agent, or any agent. */
const FORM = /^([0-9a-z]{1,12})\.(\d{1,9})\.([ax])\.([\w-]{16,32})\.([0-9a-f]{64})$/;

interface Confirmed {
  readonly workspaceId: string;
  readonly uri: string;
  /** Undefined allows any agent. */
  readonly agentId: string | undefined;
  readonly maxTokens: number | undefined;
  readonly expiresAtMs: number;
  readonly nonce: string;
}

type Secrets = Pick<InstanceSecrets, 'payloadHash'>;

const macOf = (secrets: Secrets, confirmed: Confirmed): string => {
  const { workspaceId, uri, agentId = null, maxTokens = null, expiresAtMs, nonce } = confirmed;
  return secrets.payloadHash(
    workspaceId,
    JSON.stringify(['mesh.confirmation', uri, agentId, maxTokens, expiresAtMs, nonce]),
  );
};

/** A person's consent to one fetch, as a token: nothing is stored, and only this installation can create one. */
export const confirmationToken = (
  secrets: Secrets,
  { nowMs, ...wanted }: Omit<Confirmed, 'expiresAtMs' | 'nonce'> & { readonly nowMs: number },
): { readonly token: string; readonly expiresAt: string } => {
  const expiresAtMs = nowMs + MESH_CONFIRMATION_LIFE_MS;
  const nonce = randomBytes(NONCE_BYTES).toString('base64url');
  const mac = macOf(secrets, { ...wanted, expiresAtMs, nonce });
  const parts = [expiresAtMs.toString(36), wanted.maxTokens ?? 0, wanted.agentId === undefined ? 'x' : 'a', nonce, mac];
  return { token: parts.join('.'), expiresAt: new Date(expiresAtMs).toISOString() };
};

/** Undefined for an invalid or expired token, or one of another agent, item or workspace. */
export const openConfirmation = (
  secrets: Secrets,
  token: string,
  caller: { readonly workspaceId: string; readonly uri: string; readonly agentId: string; readonly nowMs: number },
): { readonly nonce: string; readonly maxTokens: number | null } | undefined => {
  const [, expiry = '', max = '', bound, nonce = '', mac = ''] = FORM.exec(token) ?? [];
  if (bound === undefined) return undefined;
  const { nowMs, agentId, ...place } = caller;
  const expiresAtMs = parseInt(expiry, 36);
  const maxTokens = Number(max) === 0 ? undefined : Number(max);
  const expected = macOf(secrets, {
    ...place,
    agentId: bound === 'a' ? agentId : undefined,
    maxTokens,
    expiresAtMs,
    nonce,
  });
  const isGenuine = timingSafeEqual(Buffer.from(expected), Buffer.from(mac));
  return isGenuine && expiresAtMs > nowMs ? { nonce, maxTokens: maxTokens ?? null } : undefined;
};
