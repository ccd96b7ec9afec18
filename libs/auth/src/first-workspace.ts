import { systemPrincipal, TOKEN_LIFE_DAYS_DEFAULT, TOOLSETS } from '@cairn/contracts';
import { systemClock, systemIds, uuidV7 } from '@cairn/kernel';
import type { Requester } from '@cairn/messaging';
import { mintToken, parseToken } from './token.js';

export interface FirstWorkspaceOptions {
  /** A token that an interrupted first start has written down already. */
  readonly token?: string | undefined;
  /** Told of the token before it is issued, so that a crash in between does not lose it. */
  readonly keepToken: (token: string) => void;
}

export type FirstWorkspace = { readonly isNew: true; readonly token: string } | { readonly isNew: false };

const DAY_MS = 86_400_000;

/** The installation's first start: the workspace `main` and the admin token that may make further workspaces. */
export const ensureFirstWorkspace = async (
  requester: Requester,
  { token: given, keepToken }: FirstWorkspaceOptions,
): Promise<FirstWorkspace> => {
  const workspaceId = systemIds.next();
  const context = { principal: systemPrincipal(workspaceId), correlationId: systemIds.next(), id: systemIds.next() };
  const { items } = await requester.query('workspaces.list', { limit: 1 }, context);
  if (items.length > 0) return { isNew: false };
  const minted = mintToken(uuidV7());
  const token = given !== undefined && parseToken(given) ? given : minted.token;
  const { tokenId, secretHash } = parseToken(token)!;
  keepToken(token);
  await requester.command(
    'workspace.create',
    {
      workspaceId,
      slug: 'main',
      name: 'Main',
      folderId: systemIds.next(),
      instanceAdmin: true,
      adminToken: {
        tokenId,
        secretHash,
        name: 'First admin token',
        agentId: 'admin',
        scopes: ['admin'],
        isUnscoped: true,
        folderIds: [],
        kbOnly: false,
        toolsets: [...TOOLSETS],
        rateLimitPerHour: null,
        expiresAt: new Date(systemClock.now() + TOKEN_LIFE_DAYS_DEFAULT * DAY_MS).toISOString(),
      },
    },
    context,
  );
  return { isNew: true, token };
};
