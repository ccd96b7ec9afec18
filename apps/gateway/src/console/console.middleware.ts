import type { IncomingMessage, ServerResponse } from 'node:http';
import { fail } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import { SAFE_HEADERS } from '@cairn/observability';
import { sendRestError } from '../rest/rest-error.js';
import type { ConsoleFile, ConsoleFiles } from './console-files.js';

/**
 * Styles are files of our own as well: React sets styles through the object model, which no policy restricts. Therefore
 * not even a style attribute in stored text would take effect.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  ...SAFE_HEADERS,
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

/** The pages of the console; the browser decides which one is shown. */
const PAGE = /^\/(?:(?:search|folders|tokens|activity|system)\/?|(?:sources|receipts)(?:\/[^/]*)?)?$/;

const NOT_BUILT: ConsoleFile = {
  type: 'text/plain; charset=utf-8',
  body: Buffer.from('The console has not been built. Run `npm run build`, then start Cairn again. MCP is at /mcp.\n'),
  isHashed: false,
};

export const sendFile = (req: IncomingMessage, res: ServerResponse, status: number, file: ConsoleFile): void => {
  res.writeHead(status, {
    ...HEADERS,
    'content-type': file.type,
    'content-length': file.body.length,
    'cache-control': file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
  });
  res.end(req.method === 'HEAD' ? undefined : file.body);
};

export const isReading = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

/** Serves the console without a token: the files contain no data, and its API requests need a token. */
export const consoleFiles =
  ({ index, assets }: ConsoleFiles) =>
  (req: IncomingMessage, res: ServerResponse, next: () => void): void => {
    const path = (req.url ?? '').split('?', 1)[0]!;
    const isPage = PAGE.test(path);
    const asset = assets.get(path);
    if (!isPage && !asset) return next();
    if (!isReading(req)) {
      const error = fail('route.method_not_allowed', 'use GET, HEAD here', { allowed: 'GET, HEAD' });
      return sendRestError(req, res, error, uuidV7());
    }
    if (asset) return sendFile(req, res, 200, asset);
    sendFile(req, res, index ? 200 : 503, index ?? NOT_BUILT);
  };
