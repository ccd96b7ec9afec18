export interface Token {
  readonly id: string;
  readonly name: string;
  readonly agentId: string;
  readonly scopes: readonly string[];
  readonly isUnscoped: boolean;
  readonly folderIds: readonly string[];
  readonly rateLimitPerHour: number | null;
  readonly expiresAt: string;
  readonly revokedAt?: string | null;
}

export interface IssuedToken extends Token {
  readonly token: string;
}

/** Names are anybody's text, and a terminal obeys what it is told. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, '\ufffd');

const stateOf = ({ revokedAt, expiresAt }: Token): string => {
  if (revokedAt) return 'revoked';
  return Date.parse(expiresAt) <= Date.now() ? 'expired' : 'valid';
};

const reachOf = ({ isUnscoped, folderIds }: Token, slugs: readonly string[] = []): string => {
  if (isUnscoped) return 'the whole workspace';
  if (slugs.length > 0) return `only ${slugs.join(', ')}`;
  return folderIds.length === 1 ? 'one folder' : `${folderIds.length} folders`;
};

const limitOf = ({ rateLimitPerHour }: Token): string =>
  rateLimitPerHour === null ? 'no limit' : `${rateLimitPerHour} calls per hour`;

export const tokenLine = (token: Token): string =>
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
  'The token, which is shown only now:',
  issued.token,
];
