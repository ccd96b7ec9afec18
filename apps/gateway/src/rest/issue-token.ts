import { mintToken } from '@cairn/auth';
import {
  AgentId,
  fail,
  FOLDERS_PER_TOKEN_MAX,
  IsoTime,
  NAME_CHARS_MAX,
  RATE_PER_HOUR_DEFAULT,
  RATE_PER_HOUR_MAX,
  Scope,
  text,
  TOKEN_LIFE_DAYS_DEFAULT,
  Toolset,
  TOOLSETS,
  Uuid,
} from '@cairn/contracts';
import { systemClock, uuidV7 } from '@cairn/kernel';
import { z } from 'zod';
import type { RouteContext } from './route.js';

const DAY_MS = 24 * 60 * 60 * 1000;

export const newToken = z.strictObject({
  name: text(1, NAME_CHARS_MAX),
  agentId: AgentId.optional().describe('A UUID when left out.'),
  scopes: z.array(Scope).min(1).max(20),
  isUnscoped: z.boolean().optional().describe('true: the whole workspace. Otherwise folderIds is required.'),
  folderIds: z.array(Uuid).max(FOLDERS_PER_TOKEN_MAX).optional().describe('The only folders that the token sees.'),
  kbOnly: z.boolean().default(false),
  toolsets: z
    .array(Toolset)
    .min(1)
    .max(20)
    .default([...TOOLSETS]),
  rateLimitPerHour: z
    .int()
    .min(1)
    .max(RATE_PER_HOUR_MAX)
    .nullable()
    .optional()
    .describe(`Tool calls per hour; null is none. ${RATE_PER_HOUR_DEFAULT} when left out, none for admin tokens.`),
  expiresAt: IsoTime.optional().describe(`${TOKEN_LIFE_DAYS_DEFAULT} days from now when left out.`),
});
type NewToken = z.output<typeof newToken>;

export const defaultExpiry = (): string => new Date(systemClock.now() + TOKEN_LIFE_DAYS_DEFAULT * DAY_MS).toISOString();

const expiryOf = (expiresAt: string | undefined): string => {
  if (expiresAt === undefined) return defaultExpiry();
  const at = Date.parse(expiresAt);
  if (at > systemClock.now()) return new Date(at).toISOString();
  throw fail('input.invalid', 'expiresAt must be in the future', { field: 'expiresAt' });
};

/** An empty scope sees nothing, so nobody wants one by leaving a field out: the caller has to say it. */
const reachOf = ({ isUnscoped = false, folderIds }: NewToken) => {
  if (isUnscoped && folderIds !== undefined && folderIds.length > 0) {
    throw fail('input.invalid', 'folderIds must be left out when isUnscoped is true', { field: 'folderIds' });
  }
  if (!isUnscoped && folderIds === undefined) {
    const message = 'folderIds is required: name the folders that the token sees, or set isUnscoped to true';
    throw fail('input.invalid', message, { field: 'folderIds' });
  }
  return { isUnscoped, folderIds: folderIds ?? [] };
};

/** A repeated request finds its token issued; the secret was shown then and is known to nobody here. */
export const refuseReplayedSecret = (madeId: string, mintedId: string): void => {
  if (madeId === mintedId) return;
  throw fail(
    'idempotency.key_reused',
    'an earlier request with this Idempotency-Key has been answered; its secret is shown only once',
    { field: 'Idempotency-Key' },
  );
};

export const issueToken = async (body: NewToken, { cairn, newId }: RouteContext) => {
  const tokenId = uuidV7();
  const { token, secretHash } = mintToken(tokenId);
  const isAdmin = body.scopes.includes('admin');
  const granted = {
    name: body.name,
    agentId: body.agentId ?? newId('agent'),
    scopes: [...new Set(body.scopes)],
    ...reachOf(body),
    kbOnly: body.kbOnly,
    toolsets: [...new Set(body.toolsets)],
    rateLimitPerHour:
      body.rateLimitPerHour === undefined ? (isAdmin ? null : RATE_PER_HOUR_DEFAULT) : body.rateLimitPerHour,
    expiresAt: expiryOf(body.expiresAt),
  };
  const result = await cairn.command('token.issue', { tokenId, secretHash, ...granted });
  refuseReplayedSecret(result.tokenId, tokenId);
  return { id: tokenId, token, ...granted, position: result.position };
};
