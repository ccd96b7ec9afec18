import type { IncomingMessage, ServerResponse } from 'node:http';
import { asAppError } from '@cairn/contracts';
import { uuidV7, type AppError } from '@cairn/kernel';
import { SAFE_HEADERS } from '@cairn/observability';
import { sendRpcRefusal } from '../mcp/rpc-error.js';
import { API_PREFIX } from '../rest/api-prefix.js';
import { sendRestError } from '../rest/rest-error.js';
import type { HostOriginGuard } from './host-origin.js';
import { checkDeclaredSize } from './read-body.js';
import { isForm } from './read-form.js';

const CORS_HEADERS = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Accept, Idempotency-Key, Last-Event-ID, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name',
  'Access-Control-Max-Age': '600',
};

/** Browsers of allowed origins may read the answers; a preflight is answered here, since it carries no token. */
const allowOrigin = (req: IncomingMessage, res: ServerResponse, origin: string): boolean => {
  res.setHeader('Access-Control-Allow-Origin', origin);
  res.setHeader('Access-Control-Expose-Headers', 'Mcp-Session-Id, WWW-Authenticate, Retry-After');
  res.setHeader('Vary', 'Origin');
  if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined) return false;
  res.writeHead(204, CORS_HEADERS).end();
  return true;
};

/** Rejects a request that never reached its endpoint, in the format that callers of the path expect. */
export const sendRefusal = (req: IncomingMessage, res: ServerResponse, error: AppError): void => {
  if (req.url?.startsWith('/mcp')) sendRpcRefusal(res, error, uuidV7());
  else sendRestError(req, res, error, uuidV7());
};

/** Runs before every route: sets the common headers, then checks the declared body size, Host and Origin. */
export const edge =
  (guard: HostOriginGuard) =>
  (req: IncomingMessage, res: ServerResponse, next: () => void): void => {
    const { host, origin } = req.headers;
    for (const [name, value] of Object.entries(SAFE_HEADERS)) res.setHeader(name, value);
    try {
      checkDeclaredSize(req, isForm(req) && req.url?.startsWith(API_PREFIX) === true);
      guard.checkHost(host);
      guard.checkOrigin(origin, host);
    } catch (thrown) {
      return sendRefusal(req, res, asAppError(thrown));
    }
    if (origin !== undefined && allowOrigin(req, res, origin)) return;
    next();
  };
