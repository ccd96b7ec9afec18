import { SCOPES, systemPrincipal, type TokenGrant } from '@cairn/contracts';
import { assert, systemIds, uuidV7 } from '@cairn/kernel';
import type { Requester } from '@cairn/messaging';
import { grantFor, type AskedToken } from './grant.js';
import { mintToken, parseToken } from './token.js';

export interface FirstWorkspaceOptions {
  /** A token that an interrupted first start already wrote down. */
  readonly token?: string | undefined;
  /** Receives the token before it is issued, so that a crash in between does not lose it. */
  readonly keepToken: (token: string) => void;
}

export type FirstWorkspace = { readonly isNew: true; readonly token: string } | { readonly isNew: false };

const FIRST_SLUG = 'main';

const grant = (token: string, asked: AskedToken): TokenGrant => ({ ...parseToken(token)!, ...grantFor(asked) });

const admin = (name: string): AskedToken => ({ name, agentId: 'admin', scopes: ['admin'] });

/** Every tool in every folder, but no administration. */
const AGENT: AskedToken = {
  name: 'agent',
  agentId: 'agent',
  scopes: SCOPES.filter((scope) => scope !== 'admin'),
  isUnscoped: true,
};

const asSystem = (workspaceId: string) => ({
  principal: systemPrincipal(workspaceId),
  correlationId: systemIds.next(),
  id: systemIds.next(),
});

/**
 * The first start of an installation: creates the workspace `main` and the admin token that may create further
 * workspaces.
 */
export const ensureFirstWorkspace = async (
  requester: Requester,
  { token: given, keepToken }: FirstWorkspaceOptions,
): Promise<FirstWorkspace> => {
  const workspaceId = systemIds.next();
  const context = asSystem(workspaceId);
  const { items } = await requester.query('workspaces.list', { limit: 1 }, context);
  if (items.length > 0) return { isNew: false };
  const minted = mintToken(uuidV7());
  const token = given !== undefined && parseToken(given) ? given : minted.token;
  keepToken(token);
  await requester.command(
    'workspace.create',
    {
      workspaceId,
      slug: FIRST_SLUG,
      name: 'Main',
      folderId: systemIds.next(),
      instanceAdmin: true,
      adminToken: grant(token, admin('First admin token')),
    },
    context,
  );
  return { isNew: true, token };
};

const issueInFirstWorkspace = async (requester: Requester, asked: AskedToken): Promise<string> => {
  const { items } = await requester.query('workspaces.list', { limit: 100 }, asSystem(systemIds.next()));
  const first = items.find(({ slug }) => slug === FIRST_SLUG) ?? items.at(-1);
  assert(first, 'there is a workspace');
  const { token } = mintToken(uuidV7());
  await requester.command('token.issue', grant(token, asked), asSystem(first.id));
  return token;
};

/** A further admin token for the installation, for an owner who has lost all the others. */
export const issueAdminToken = (requester: Requester): Promise<string> =>
  issueInFirstWorkspace(requester, admin('Admin token'));

/** The token for the owner's agents; the admin scope is for people. */
export const issueAgentToken = (requester: Requester): Promise<string> => issueInFirstWorkspace(requester, AGENT);

export const isGoodToken = async (requester: Requester, token: string): Promise<boolean> => {
  const parsed = parseToken(token);
  return parsed !== undefined && (await requester.query('token.resolve', parsed, asSystem(systemIds.next()))) !== null;
};
