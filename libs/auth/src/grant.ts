import {
  RATE_PER_HOUR_DEFAULT,
  TOKEN_LIFE_DAYS_DEFAULT,
  TOOLSETS,
  type NewToken,
  type TokenGrant,
} from '@cairn/contracts';
import { systemClock } from '@cairn/kernel';

const DAY_MS = 86_400_000;

/** A requested token: who it is for and what it may do; everything else has a default. */
export type AskedToken = Pick<TokenGrant, 'name' | 'agentId' | 'scopes'> & Partial<Omit<NewToken, 'agentId'>>;

const expiryOf = (asked: string | undefined): string =>
  new Date(asked ?? systemClock.now() + TOKEN_LIFE_DAYS_DEFAULT * DAY_MS).toISOString();

/**
 * The grant of a new token. Without a list of folders it sees none; only an admin token covers the whole workspace by
 * default, and only an admin token has no hourly cap unless the request sets one.
 */
export const grantFor = (asked: AskedToken): Omit<TokenGrant, 'tokenId' | 'secretHash'> => {
  const { name, agentId, scopes, isUnscoped, folderIds, kbOnly = false, toolsets = TOOLSETS } = asked;
  const isAdmin = scopes.includes('admin');
  const cap = isAdmin ? null : RATE_PER_HOUR_DEFAULT;
  return {
    name,
    agentId,
    scopes: [...new Set(scopes)],
    isUnscoped: isUnscoped ?? (isAdmin && folderIds === undefined),
    folderIds: [...new Set(folderIds)],
    kbOnly,
    toolsets: [...new Set(toolsets)],
    rateLimitPerHour: asked.rateLimitPerHour === undefined ? cap : asked.rateLimitPerHour,
    ...(asked.restLimitPerHour === undefined ? {} : { restLimitPerHour: asked.restLimitPerHour }),
    expiresAt: expiryOf(asked.expiresAt),
  };
};
