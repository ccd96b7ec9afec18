import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  asAppError,
  fail,
  hasScope,
  isWorkspaceAdmin,
  logLevelOf,
  parseInput,
  Uuid,
  type ResolvedToken,
} from '@cairn/contracts';
import { formatOf, type DocumentParser } from '@cairn/documents';
import { uuidV7, uuidV8, type AppError } from '@cairn/kernel';
import type { Logger } from '@cairn/observability';
import { z } from 'zod';
import { bearerOf, type Authenticator } from '../auth/authenticator.js';
import type { SignInCodes } from '../auth/sign-in-codes.js';
import type { TokenWatch } from '../auth/token-watch.js';
import type { CairnClient, Caller } from '../cairn/cairn-client.js';
import { checkMediaType, readBody } from '../http/read-body.js';
import { isForm, readForm } from '../http/read-form.js';
import { UploadBudget } from '../http/upload-budget.js';
import { parseStrictJson } from '../http/strict-json.js';
import { restCharges } from '../limits/charge.js';
import type { RateLimiter } from '../limits/rate-limiter.js';
import type { EventStreams } from './event-stream.js';
import { formValues } from './form-values.js';
import { readQuery } from './query-string.js';
import { sendJson, sendRestError } from './rest-error.js';
import { API_PREFIX, findOpenRoute, matchRoute, routeNotFound } from './route-table.js';
import type { AnyRoute, OpenRoute, Route, RouteContext, StreamedAnswer } from './route.js';

type Upload = NonNullable<Route['upload']>;

const NOTHING = z.strictObject({});

/** Parse, call, answer: what a route takes and gives is said by its entry in the table. */
export class RestEndpoint {
  private readonly uploads = new UploadBudget();

  constructor(
    private readonly authenticator: Authenticator,
    private readonly codes: SignInCodes,
    private readonly cairn: CairnClient,
    private readonly documents: Pick<DocumentParser, 'parse'>,
    private readonly limits: RateLimiter,
    private readonly watch: TokenWatch,
    private readonly events: EventStreams,
    private readonly logger: Logger,
  ) {}

  async serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const correlationId = uuidV7();
    try {
      const address = req.socket.remoteAddress ?? '';
      const open = findOpenRoute(req.method ?? '', targetOf(req).path);
      if (open) return sendJson(res, open.status, await this.answerAnybody(open, req, address));
      const token = await this.authenticator.authenticate(req.headers.authorization, address, correlationId);
      const caller = { ...token, correlationId };
      const order = req.method === 'GET' ? 'beside' : 'before';
      const { status, result } = await this.limits.guard(restCharges(caller), order, () => this.answer(req, caller));
      if (isStreamed(result)) await this.stream(res, token, result);
      else if (status === 204) res.writeHead(204).end();
      else sendJson(res, status, result);
    } catch (thrown) {
      const error = asAppError(thrown);
      this.log(error, correlationId);
      sendRestError(req, res, error, correlationId);
    }
  }

  private async answer(req: IncomingMessage, caller: Caller): Promise<{ status: number; result: unknown }> {
    const { path, search } = targetOf(req);
    const match = matchRoute(req.method ?? '', path);
    const { route } = match;
    if (!mayUse(route, caller)) throw routeNotFound();
    const params = parseInput(route.params ?? NOTHING, match.params);
    const query = parseInput(route.query ?? NOTHING, readQuery(route.query ?? NOTHING, search));
    if (route.upload && isForm(req)) return this.upload(route, route.upload, req, caller);
    const body = route.body ? parseInput(route.body, await bodyOf(req)) : {};
    const result = await route.handle({ params, query, body }, this.contextOf(req, caller));
    return { status: route.status, result };
  }

  private answerAnybody(route: OpenRoute, req: IncomingMessage, address: string): Promise<unknown> {
    return this.authenticator.attempt(address, async () => {
      parseInput(NOTHING, readQuery(NOTHING, targetOf(req).search));
      const body = parseInput(route.body, await bodyOf(req));
      return route.handle(body, { redeem: (code) => this.redeem(code) });
    });
  }

  private async redeem(code: string): Promise<string> {
    const token = await this.codes.redeem(code);
    if (token === undefined) throw fail('auth.invalid', 'the sign-in code is not valid');
    return token;
  }

  /** What stays open outlives the moment of its authentication, and ends with its token. */
  private async stream(res: ServerResponse, token: ResolvedToken, open: StreamedAnswer): Promise<void> {
    if (res.destroyed) return;
    res.once(
      'close',
      this.watch.hold(token, () => void res.end()),
    );
    await open(res);
  }

  private async upload({ status }: Route, upload: Upload, req: IncomingMessage, caller: Caller) {
    const context = this.contextOf(req, caller);
    const held = this.uploads.open();
    try {
      const isField = (name: string): boolean => Object.hasOwn(upload.fields.shape, name);
      const form = await readForm(req, { isField, checkFileName: formatOf }, held);
      const fields = parseInput(upload.fields, formValues(upload.fields, form.fields));
      return { status, result: await upload.handle({ fields, file: form.file }, context) };
    } finally {
      held.release();
    }
  }

  private contextOf(req: IncomingMessage, caller: Caller): RouteContext {
    const key = idempotencyKeyOf(req);
    const as = (principal: Caller['principal']) => this.cairn.as({ ...caller, principal }, key);
    return {
      caller,
      cairn: this.cairn.as(caller, key),
      as,
      parse: (file) => this.documents.parse(file, caller.principal),
      events: this.events,
      mintSignInCode: () => this.codes.mint(bearerOf(req.headers.authorization)),
      mayBeRepeat: key !== undefined,
      newId: (purpose) => (key ? derivedId(caller.principal.tokenId, key, purpose) : uuidV7()),
    };
  }

  private log(error: AppError, correlationId: string): void {
    const logLevel = logLevelOf(error);
    const cause = logLevel === 'error' ? { err: error.cause ?? error } : {};
    this.logger[logLevel]({ correlationId, code: error.code, ...cause }, 'a rest request was refused');
  }
}

const targetOf = ({ url = '' }: IncomingMessage): { readonly path: string; readonly search: string } => {
  const [path = '', ...rest] = url.slice(API_PREFIX.length).split('?');
  return { path, search: rest.join('?') };
};

const mayUse = (route: AnyRoute, { principal }: Caller): route is Route => {
  const { access } = route;
  if (access === 'anybody') return false;
  if (access === 'instance admin') return principal.instanceAdmin;
  return access === 'admin' ? isWorkspaceAdmin(principal) : hasScope(principal, access);
};

const isStreamed = (result: unknown): result is StreamedAnswer => typeof result === 'function';

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
 * together with the token, as the key itself is: no one chooses the id of a thing by choosing a key.
 */
const derivedId = (tokenId: string, key: string, purpose: string): string =>
  uuidV8(createHash('sha256').update(`${tokenId}:${key}:${purpose}`).digest('hex'));
