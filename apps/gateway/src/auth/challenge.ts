import type { IncomingMessage } from 'node:http';

export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';
/** The minimal scope of a useful token; requested from a caller that sends no token. */
const FIRST_SCOPE = 'read';

export const originOf = (req: IncomingMessage): string => {
  const forwarded = req.headers['x-forwarded-proto'];
  const proto = forwarded === 'https' || 'encrypted' in req.socket ? 'https' : 'http';
  return `${proto}://${req.headers.host ?? 'localhost'}`;
};

const quoted = (value: string): string => `"${value.replace(/["\\]/g, '')}"`;

/** RFC 6750 and RFC 9728: what was wrong, which scope is needed, and where the resource metadata is. */
export const bearerChallenge = (req: IncomingMessage, error?: 'invalid_token' | 'insufficient_scope', scope?: string) =>
  'Bearer ' +
  [
    ...(error ? [`error=${quoted(error)}`] : []),
    `scope=${quoted(scope ?? FIRST_SCOPE)}`,
    `resource_metadata=${quoted(originOf(req) + RESOURCE_METADATA_PATH)}`,
  ].join(', ');
