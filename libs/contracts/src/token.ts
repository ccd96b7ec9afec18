import { z } from 'zod';
import { Id, Time, type Wire } from './answer.js';
import {
  FOLDERS_PER_TOKEN_MAX,
  NAME_CHARS_MAX,
  RATE_PER_HOUR_DEFAULT,
  RATE_PER_HOUR_MAX,
  REST_PER_HOUR_DEFAULT,
  TOKEN_LIFE_DAYS_DEFAULT,
} from './limits.js';
import { Principal, Scope, Toolset, TOOLSETS } from './principal.js';
import { AgentId, filled, IsoTime, Uuid } from './text.js';

/** What a token may do and see. The names are the same in the command, the op, the row and every answer. */
export const tokenFields = {
  name: z.string(),
  agentId: z.string(),
  scopes: z.array(Scope),
  isUnscoped: z.boolean(),
  folderIds: z.array(Id),
  kbOnly: z.boolean(),
  toolsets: z.array(Toolset),
  rateLimitPerHour: z.int().nullable(),
  expiresAt: Time,
};

/** The number of REST requests per hour; null for a token without a limit. */
export const restLimit = { restLimitPerHour: z.int().nullable() };

/** The REST limit of a token: the one that it was issued with, or the default, which admin tokens do not have. */
export const restLimitOf = ({
  restLimitPerHour,
  scopes,
}: {
  readonly restLimitPerHour?: number | null | undefined;
  readonly scopes: readonly Scope[];
}): number | null => {
  if (restLimitPerHour !== undefined) return restLimitPerHour;
  return scopes.includes('admin') ? null : REST_PER_HOUR_DEFAULT;
};

export const TokenView = z.object({
  id: Id,
  ...tokenFields,
  ...restLimit,
  revokedAt: Time.nullable(),
  createdAt: Time,
});
export type TokenView = Wire<typeof TokenView>;

/** What the gateway needs to know about a token: who the caller is, how often it may call, and until when. */
export const ResolvedToken = z.object({
  principal: Principal,
  expiresAt: tokenFields.expiresAt,
  rateLimitPerHour: tokenFields.rateLimitPerHour,
  /** Absent in the answer of an earlier build. */
  restLimitPerHour: restLimit.restLimitPerHour.exactOptional(),
});
export type ResolvedToken = Wire<typeof ResolvedToken>;

/** SHA-256 of a 256-bit random secret: safe to store, useless to an attacker. */
const secretHash = z.string().regex(/^[0-9a-f]{64}$/);

/** Identifies a token when its secret is presented or granted. */
export const tokenSecret = { tokenId: Uuid, secretHash };

/** The token as an op records it; the command has already checked the bounds. */
export const issuedToken = {
  ...tokenSecret,
  ...tokenFields,
  agentId: AgentId,
  folderIds: z.array(Uuid),
  /** Absent for a token with the default. */
  restLimitPerHour: restLimit.restLimitPerHour.exactOptional(),
  expiresAt: z.string(),
  instanceAdmin: z.boolean(),
};

const boundedFields = {
  ...tokenFields,
  name: filled(NAME_CHARS_MAX),
  agentId: AgentId,
  scopes: z.array(Scope).min(1).max(20),
  folderIds: z.array(Uuid).max(FOLDERS_PER_TOKEN_MAX),
  toolsets: z.array(Toolset).min(1).max(20),
  rateLimitPerHour: z.int().min(1).max(RATE_PER_HOUR_MAX).nullable(),
  restLimitPerHour: z.int().min(1).max(RATE_PER_HOUR_MAX).nullable().exactOptional(),
  expiresAt: IsoTime,
};

export const TokenGrant = z.strictObject({ ...tokenSecret, ...boundedFields });
export type TokenGrant = z.infer<typeof TokenGrant>;

/** The token fields that a caller may request. Omitted ones are filled in when the token is granted. */
export const NewToken = z.strictObject({
  ...boundedFields,
  agentId: boundedFields.agentId.optional().describe('A UUID when left out.'),
  isUnscoped: z
    .boolean()
    .optional()
    .describe(
      'true: the whole workspace, as the scope admin needs it and has it when this and folderIds are left out.',
    ),
  folderIds: boundedFields.folderIds.optional().describe('The only folders that the token sees; none when left out.'),
  kbOnly: z.boolean().default(false),
  toolsets: boundedFields.toolsets.default([...TOOLSETS]),
  rateLimitPerHour: boundedFields.rateLimitPerHour
    .optional()
    .describe(`Tool calls per hour; null is none. ${RATE_PER_HOUR_DEFAULT} when left out, none for admin tokens.`),
  restLimitPerHour: boundedFields.restLimitPerHour.describe(
    `REST requests per hour; null is none. ${REST_PER_HOUR_DEFAULT} when left out, none for admin tokens.`,
  ),
  expiresAt: IsoTime.optional().describe(`${TOKEN_LIFE_DAYS_DEFAULT} days from now when left out.`),
});
export type NewToken = z.output<typeof NewToken>;
