import { ensureFirstWorkspace, isGoodToken, issueAdminToken, issueAgentToken } from '@cairn/auth';
import { connectNats, Requester, type NatsAccess } from '@cairn/messaging';
import type { Home, TokenKind } from './home.js';

export interface HomeToken {
  readonly file: string;
  /** Set if this start has created it. */
  readonly made?: string;
  /** False if the token in the file was revoked or has expired. */
  readonly isGood: boolean;
}

export type HomeTokens = Readonly<Record<TokenKind, HomeToken>>;

const issue = { admin: issueAdminToken, agent: issueAgentToken };

/** A home without a token, after a restore or from an earlier version, gets a new one: its owner may do everything. */
const ensureToken = async (requester: Requester, home: Home, kind: TokenKind): Promise<HomeToken> => {
  const file = home.tokenFile(kind);
  const kept = home.readToken(kind);
  if (kept !== undefined) return { file, isGood: await isGoodToken(requester, kept) };
  const made = await issue[kind](requester);
  home.writeToken(kind, made);
  return { file, made, isGood: true };
};

/** The first start creates the workspace and its admin token in one command. */
const ensureAdminToken = async (requester: Requester, home: Home): Promise<HomeToken> => {
  const first = await ensureFirstWorkspace(requester, {
    token: home.readToken('admin'),
    keepToken: (token) => home.writeToken('admin', token),
  });
  if (!first.isNew) return ensureToken(requester, home, 'admin');
  return { file: home.tokenFile('admin'), made: first.token, isGood: true };
};

export const ensureTokens = async (access: NatsAccess, home: Home): Promise<HomeTokens> => {
  const nats = await connectNats(access, 'standalone');
  try {
    const requester = new Requester(nats);
    const admin = await ensureAdminToken(requester, home);
    return { admin, agent: await ensureToken(requester, home, 'agent') };
  } finally {
    await nats.close();
  }
};
