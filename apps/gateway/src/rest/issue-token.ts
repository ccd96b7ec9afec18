import { mintToken } from '@cairn/auth';
import {
  AgentId,
  fail,
  filled,
  FOLDERS_PER_TOKEN_MAX,
  IsoTime,
  NAME_CHARS_MAX,
  RATE_PER_HOUR_DEFAULT,
  RATE_PER_HOUR_MAX,
  Scope,
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
  name: filled(NAME_CHARS_MAX),
  agentId: AgentId.optional().describe('A UUID when left out.'),
  scopes: z.array(Scope).min(1).max(20),
  isUnscoped: z
    .boolean()
    .optional()
    .describe(
      'true: the whole workspace, as the scope admin needs it and has it when this and folderIds are left out.',
    ),
  folderIds: z
    .array(Uuid)
    .max(FOLDERS_PER_TOKEN_MAX)
    .optional()
    .describe('The only folders that the token sees; none when left out.'),
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

/** A folder counts once. Left out, a list of folders is empty and sees nothing; only an admin token is for the whole workspace by itself. */
const reachOf = ({ scopes, isUnscoped, folderIds }: NewToken) => ({
  isUnscoped: isUnscoped ?? (scopes.includes('admin') && folderIds === undefined),
  folderIds: [...new Set(folderIds)],
});

/** What the document says of the routes that answer a secret. */
export const SHOWN_ONCE =
  'Repeated with its Idempotency-Key it makes nothing new and answers 409 idempotency.key_reused, since the secret is ' +
  'not kept and cannot be shown again.';

/** A repeated request finds its token issued; the secret was shown then and is known to nobody here. */
export const secretWasShown = () =>
  fail(
    'idempotency.key_reused',
    'an earlier request with this Idempotency-Key has been answered; its secret is shown only once',
    { field: 'Idempotency-Key' },
  );

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
    expiresAt: body.expiresAt === undefined ? defaultExpiry() : new Date(body.expiresAt).toISOString(),
  };
  const result = await cairn.command('token.issue', { tokenId, secretHash, ...granted });
  if (result.tokenId !== tokenId) throw secretWasShown();
  return { id: tokenId, token, ...granted, position: result.position };
};
