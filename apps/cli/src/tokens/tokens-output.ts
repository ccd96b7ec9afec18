import { plural, restLimitOf, type TokenView } from '@cairn/contracts';

/** The fields of a new token, which has been neither revoked nor listed yet. */
type Issued = Omit<TokenView, 'revokedAt' | 'createdAt'>;

export interface IssuedToken extends Issued {
  readonly token: string;
}

/** Names are untrusted text, and a terminal executes control sequences. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, '\ufffd');

const stateOf = ({ revokedAt, expiresAt }: TokenView): string => {
  if (revokedAt) return 'revoked';
  return Date.parse(expiresAt) <= Date.now() ? 'expired' : 'valid';
};

const reachOf = ({ isUnscoped, folderIds }: Issued, slugs: readonly string[] = []): string => {
  if (isUnscoped) return 'the whole workspace';
  if (slugs.length > 0) return `only ${slugs.join(', ')}`;
  return plural(folderIds.length, 'folder');
};

const perHour = (limit: number | null, counted: string, none: string): string =>
  limit === null ? none : `${plural(limit, counted)} per hour`;

/** The limit of REST requests is shown only if it is not the default. */
const limitOf = ({ rateLimitPerHour, restLimitPerHour, scopes }: Issued): string => {
  const calls = perHour(rateLimitPerHour, 'call', 'no limit');
  if (restLimitPerHour === restLimitOf({ scopes })) return calls;
  return `${calls}, ${perHour(restLimitPerHour, 'REST request', 'no limit of REST requests')}`;
};

export const tokenLine = (token: TokenView): string =>
  [
    token.id,
    stateOf(token).padEnd(7),
    `until ${token.expiresAt.slice(0, 10)}`,
    printable(token.name),
    `(${token.scopes.join(', ')}; ${reachOf(token)}; ${limitOf(token)}; agent ${token.agentId})`,
  ].join('  ');

export const issuedLines = (issued: IssuedToken, slugs: readonly string[]): string[] => [
  `issued    ${printable(issued.name)}, ${issued.id}`,
  `may       ${issued.scopes.join(', ')}`,
  `sees      ${reachOf(issued, slugs)}`,
  `limit     ${limitOf(issued)}`,
  `until     ${issued.expiresAt}`,
  'connect   npx cairn connect <client> --token <the token> prints what to paste',
  'The token, which is shown only now:',
  issued.token,
];
