import type { IncomingMessage, ServerResponse } from 'node:http';
import { asAppError, fail, httpStatusOf, logLevelOf } from '@cairn/contracts';
import { uuidV7, type AppError } from '@cairn/kernel';
import type { Logger } from '@cairn/observability';
import { classifyInboundRequest } from '@modelcontextprotocol/server';
import { invalidToken, type Authenticator } from '../auth/authenticator.js';
import { bearerChallenge } from '../auth/challenge.js';
import type { ClientAddresses } from '../auth/client-address.js';
import type { TokenWatch } from '../auth/token-watch.js';
import type { Caller } from '../cairn/cairn-client.js';
import type { ExternalTools } from '../external/external-tools.js';
import type { OpenStreams } from '../http/open-streams.js';
import { checkMediaType, readBody } from '../http/read-body.js';
import { setRetryAfter } from '../http/retry-after.js';
import { parseStrictJson } from '../http/strict-json.js';
import type { Dispatcher } from './dispatcher.js';
import type { InitializeLeg } from './initialize-leg.js';
import type { McpExchange } from './mcp-exchange.js';
import { checkMessages, checkNameHeaders, type RpcMessage } from './message-check.js';
import { INVALID_REQUEST, sendRpcRefusal } from './rpc-error.js';
import type { SseLeg } from './sse-leg.js';
import type { StatelessLeg } from './stateless-leg.js';

export interface McpLegs {
  readonly initialize: InitializeLeg;
  readonly stateless: StatelessLeg;
  readonly sse: SseLeg;
}

/** The first message of a client in either era. */
const SESSION_STARTS = ['initialize', 'server/discover'];

/** Every tool checks its own texts and reports faults in its own way. */
const ARGUMENTS = ['params', 'arguments'];

/**
 * Everything in front of the SDKs: authentication, the checks of a message, the choice of the era, and the answer to a
 * rejected request.
 */
export class McpEndpoint {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly addresses: ClientAddresses,
    private readonly watch: TokenWatch,
    private readonly dispatcher: Dispatcher,
    private readonly legs: McpLegs,
    private readonly streams: OpenStreams,
    private readonly external: Pick<ExternalTools, 'warm'>,
    private readonly logger: Logger,
  ) {}

  /** `/mcp`: both eras. */
  serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    return this.guarded(req, res, ['GET', 'POST', 'DELETE'], async (caller) => {
      if (req.method !== 'POST') return this.legs.initialize.serve({ req, res, caller, messages: [] });
      const exchange = await this.read(req, res, caller);
      if (exchange) await this.servePost(exchange);
    });
  }

  openStream(req: IncomingMessage, res: ServerResponse): Promise<void> {
    return this.guarded(req, res, ['GET'], (caller) => {
      this.external.warm(caller.principal);
      return this.legs.sse.openStream({ req, res, caller, messages: [] });
    });
  }

  postMessage(req: IncomingMessage, res: ServerResponse): Promise<void> {
    return this.guarded(req, res, ['POST'], async (caller) => {
      const exchange = await this.read(req, res, caller);
      if (exchange) await this.legs.sse.post(exchange);
    });
  }

  private async guarded(
    req: IncomingMessage,
    res: ServerResponse,
    methods: readonly string[],
    serve: (caller: Caller) => Promise<void>,
  ): Promise<void> {
    const correlationId = uuidV7();
    let isCut = false;
    const cut = (): void => {
      isCut = true;
      this.cut(req, res, correlationId);
    };
    try {
      const address = this.addresses.keyOf(req);
      const token = await this.authenticator.authenticate(req.headers.authorization, address, correlationId);
      if (!methods.includes(req.method ?? '')) {
        res.setHeader('Allow', methods.join(', '));
        throw fail('route.method_not_allowed', `use ${methods.join(', ')} here`);
      }
      res.once('close', this.watch.hold(token, cut));
      await serve({ ...token, correlationId });
    } catch (thrown) {
      if (!isCut) this.refuse(req, res, asAppError(thrown), correlationId);
    }
  }

  /** Undefined if the body contained no valid messages; the error has been sent then. */
  private async read(req: IncomingMessage, res: ServerResponse, caller: Caller): Promise<McpExchange | undefined> {
    checkMediaType(req);
    const body = parseStrictJson(await readBody(req), { textsCheckedIn: ARGUMENTS });
    try {
      checkNameHeaders(req);
      return { req, res, caller, body, messages: checkMessages(body) };
    } catch (thrown) {
      sendRpcRefusal(res, asAppError(thrown), caller.correlationId, { code: INVALID_REQUEST });
      return undefined;
    }
  }

  private servePost(exchange: McpExchange): Promise<void> {
    const { req, messages, caller } = exchange;
    const single = messages.length === 1 && !Array.isArray(exchange.body) ? messages[0] : undefined;
    const scope = single?.method && this.dispatcher.missingScope(single.method, single.params, caller.principal);
    if (scope) return Promise.resolve(this.refuseScope(exchange, scope));
    if (messages.some(({ method }) => SESSION_STARTS.includes(method ?? ''))) this.external.warm(caller.principal);
    if (isInitializeEra(req, exchange.body)) return this.legs.initialize.serve(exchange);
    return this.serveStateless(exchange, single);
  }

  private serveStateless(exchange: McpExchange, message: RpcMessage | undefined): Promise<void> {
    const { res, caller } = exchange;
    if (message?.method === 'subscriptions/listen') this.streams.hold(res, caller.principal.tokenId);
    return this.legs.stateless.serve(exchange);
  }

  private refuseScope({ req, res, caller }: McpExchange, scope: string): void {
    res.setHeader('WWW-Authenticate', bearerChallenge(req, 'insufficient_scope', scope));
    this.sendOAuthError(
      res,
      403,
      'insufficient_scope',
      `this needs a token with the scope ${scope}`,
      caller.correlationId,
    );
  }

  /** The token ended meanwhile. A stream ends, and a caller that still waits for an answer receives the reason. */
  private cut(req: IncomingMessage, res: ServerResponse, correlationId: string): void {
    // A leg may still be sending an event; a write after the end can be ignored.
    res.on('error', () => undefined);
    this.refuse(req, res, invalidToken(), correlationId);
  }

  private refuse(req: IncomingMessage, res: ServerResponse, error: AppError, correlationId: string): void {
    const logLevel = logLevelOf(error);
    const cause = logLevel === 'error' ? { err: error.cause ?? error } : {};
    this.logger[logLevel]({ correlationId, code: error.code, ...cause }, 'an mcp request was refused');
    if (res.headersSent) return void res.end();
    const status = httpStatusOf(error);
    if (status === 401) {
      res.setHeader(
        'WWW-Authenticate',
        bearerChallenge(req, error.code === 'auth.invalid' ? 'invalid_token' : undefined),
      );
      return this.sendOAuthError(res, 401, 'invalid_token', error.message, correlationId);
    }
    if (error.code === 'auth.flood') {
      setRetryAfter(res, error);
      return this.sendOAuthError(res, 429, 'too_many_requests', error.message, correlationId);
    }
    sendRpcRefusal(res, error, correlationId);
  }

  /** Reports a problem with the credential in the form that OAuth clients expect. */
  private sendOAuthError(
    res: ServerResponse,
    status: number,
    error: string,
    message: string,
    correlationId: string,
  ): void {
    const body = JSON.stringify({ error, error_description: message, correlationId });
    res.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(body);
  }
}

const headerOf = (req: IncomingMessage, name: string): string | undefined => {
  const value = req.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
};

/** Makes the SDK's own decision from known values, without building a Request for it (like `isLegacyRequest`). */
const isInitializeEra = (req: IncomingMessage, body: unknown): boolean => {
  const [protocolVersionHeader, mcpMethodHeader, mcpNameHeader] = [
    'mcp-protocol-version',
    'mcp-method',
    'mcp-name',
  ].map((name) => headerOf(req, name));
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    body,
    ...(protocolVersionHeader === undefined ? {} : { protocolVersionHeader }),
    ...(mcpMethodHeader === undefined ? {} : { mcpMethodHeader }),
    ...(mcpNameHeader === undefined ? {} : { mcpNameHeader }),
  });
  return outcome.kind === 'legacy';
};
