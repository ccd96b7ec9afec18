import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { asAppError, ERROR_TABLE, fail, hasScope, isWorkspaceAdmin, parseInput, Uuid } from '@cairn/contracts';
import { uuidV7, type AppError } from '@cairn/kernel';
import type { Logger } from '@cairn/observability';
import { z } from 'zod';
import type { Authenticator } from '../auth/authenticator.js';
import type { CairnClient, Caller } from '../cairn/cairn-client.js';
import { checkMediaType, readBody } from '../http/read-body.js';
import { parseStrictJson } from '../http/strict-json.js';
import { readQuery } from './query-string.js';
import { sendJson, sendRestError } from './rest-error.js';
import { API_PREFIX, matchRoute, routeNotFound } from './route-table.js';
import type { Route, RouteContext } from './route.js';

const NOTHING = z.strictObject({});

/** Parse, call, answer: what a route takes and gives is said by its entry in the table. */
export class RestEndpoint {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly cairn: CairnClient,
    private readonly logger: Logger,
  ) {}

  async serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const correlationId = uuidV7();
    try {
      const address = req.socket.remoteAddress ?? '';
      const principal = await this.authenticator.authenticate(req.headers.authorization, address, correlationId);
      await this.answer(req, res, { principal, correlationId });
    } catch (thrown) {
      const error = asAppError(thrown);
      this.log(error, correlationId);
      sendRestError(req, res, error, correlationId);
    }
  }

  private async answer(req: IncomingMessage, res: ServerResponse, caller: Caller): Promise<void> {
    const [path = '', search = ''] = (req.url ?? '').slice(API_PREFIX.length).split('?', 2);
    const { route, params } = matchRoute(req.method ?? '', path);
    if (!mayUse(route, caller)) throw routeNotFound();
    const input = {
      params: parseInput(route.params ?? NOTHING, params),
      query: parseInput(route.query ?? NOTHING, readQuery(route.query ?? NOTHING, search)),
      body: route.body ? parseInput(route.body, await bodyOf(req)) : {},
    };
    const result = await route.handle(input, this.contextOf(req, caller));
    if (route.status === 204) res.writeHead(204).end();
    else sendJson(res, route.status, result);
  }

  private contextOf(req: IncomingMessage, caller: Caller): RouteContext {
    const key = idempotencyKeyOf(req);
    const as = (principal: Caller['principal']) => this.cairn.as({ ...caller, principal }, key);
    return {
      caller,
      cairn: this.cairn.as(caller, key),
      as,
      mayBeRepeat: key !== undefined,
      newId: (purpose) => (key ? derivedId(caller.principal.workspaceId, key, purpose) : uuidV7()),
    };
  }

  private log(error: AppError, correlationId: string): void {
    const { logLevel } = ERROR_TABLE[error.kind];
    const cause = logLevel === 'error' ? { err: error.cause ?? error } : {};
    this.logger[logLevel]({ correlationId, code: error.code, ...cause }, 'a rest request was refused');
  }
}

const mayUse = ({ access }: Route, { principal }: Caller): boolean => {
  if (access === 'instance admin') return principal.instanceAdmin;
  return access === 'admin' ? isWorkspaceAdmin(principal) : hasScope(principal, access);
};

const bodyOf = async (req: IncomingMessage): Promise<unknown> => {
  checkMediaType(req);
  return parseStrictJson(await readBody(req));
};

const idempotencyKeyOf = (req: IncomingMessage): string | undefined => {
  const header = req.headers['idempotency-key'];
  if (header === undefined) return undefined;
  const parsed = Uuid.safeParse(header);
  if (parsed.success) return parsed.data;
  throw fail('input.invalid', 'Idempotency-Key must be a UUID', { field: 'Idempotency-Key' });
};

/**
 * A repeated request must ask for the same ids, or it would look like another one under a used key. They are hashed
 * together with the workspace, so that nobody chooses the id of a thing by choosing a key.
 */
const derivedId = (workspaceId: string, key: string, purpose: string): string => {
  const hex = createHash('sha256').update(`${workspaceId}:${key}:${purpose}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
