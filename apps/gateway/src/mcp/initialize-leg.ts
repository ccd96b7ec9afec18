import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { fail } from '@cairn/contracts';
import { bearerOf } from '../auth/authenticator.js';
import type { OpenStreams } from '../http/open-streams.js';
import { abortOnHangUp, sendWebResponse, toWebRequest } from '../http/web-exchange.js';
import type { CreateServer } from './legacy-server.js';
import { callerInfo, type McpExchange } from './mcp-exchange.js';
import { INVALID_REQUEST, sendRpcRefusal, TRANSPORT_ERROR } from './rpc-error.js';
import type { Sessions } from './sessions.js';

/** The code that both SDKs return for an unknown session. */
const SESSION_NOT_FOUND = -32001;

interface TransportOptions {
  /** Absent except for `initialize`: the SDK must not check an id that this leg has checked. */
  readonly sessionIdGenerator?: () => string;
}

/**
 * Every protocol revision up to 2025-11-25. A request is served by a transport of its own, whether it belongs to a
 * session or not, so any replica can take it.
 */
export class InitializeLeg {
  constructor(
    private readonly sessions: Sessions,
    private readonly createServer: CreateServer,
    private readonly streams: OpenStreams,
  ) {}

  async serve(exchange: McpExchange): Promise<void> {
    const { req, messages } = exchange;
    const sessionId = req.headers['mcp-session-id'];
    if (sessionId !== undefined) return this.serveSession(exchange, String(sessionId));
    if (req.method !== 'POST') return this.refuseMissingSession(exchange);
    if (!messages.some(isInitialize)) {
      // Some clients never open a session, and plain curl accepts anything.
      return this.answer(exchange, {}, { isOneShot: true });
    }
    const credential = credentialOf(exchange);
    return this.answer(exchange, { sessionIdGenerator: () => this.sessions.open(credential) });
  }

  private async serveSession(exchange: McpExchange, sessionId: string): Promise<void> {
    const { req, res, messages } = exchange;
    if (!this.sessions.has(sessionId, credentialOf(exchange))) return this.refuseSession(exchange);
    if (req.method === 'GET') return this.openStream(exchange, sessionId);
    if (req.method === 'DELETE') {
      await this.sessions.end(sessionId);
      return void res.writeHead(200).end();
    }
    if (messages.some(isInitialize)) return this.refuseSecondInitialize(exchange);
    return this.answer(exchange, {});
  }

  /** Cairn sends nothing on this stream but keep-alives; clients open it to be ready for messages of the server. */
  private async openStream(exchange: McpExchange, sessionId: string): Promise<void> {
    this.streams.hold(exchange.res, exchange.caller.principal.tokenId);
    const transport = await this.connect(exchange, {});
    const release = this.sessions.hold(sessionId, transport);
    try {
      await this.forward(exchange, transport);
    } finally {
      release();
      await transport.close();
    }
  }

  private async answer(
    exchange: McpExchange,
    options: TransportOptions,
    { isOneShot = false }: { readonly isOneShot?: boolean } = {},
  ): Promise<void> {
    const transport = await this.connect(exchange, options);
    try {
      await this.forward(exchange, transport, isOneShot);
    } finally {
      await transport.close();
    }
  }

  private async connect(
    { caller }: McpExchange,
    options: TransportOptions,
  ): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = new WebStandardStreamableHTTPServerTransport({ ...options, enableJsonResponse: true });
    await this.createServer(caller.principal).connect(transport);
    return transport;
  }

  private async forward(
    exchange: McpExchange,
    transport: WebStandardStreamableHTTPServerTransport,
    isOneShot = false,
  ): Promise<void> {
    const { req, res, body } = exchange;
    const request = toWebRequest(req, abortOnHangUp(res));
    widenAccept(request.headers, isOneShot);
    const response = await transport.handleRequest(request, {
      ...(body === undefined ? {} : { parsedBody: body }),
      authInfo: callerInfo(exchange, 'initialize'),
    });
    await sendWebResponse(res, response);
  }

  private refuseSession({ res, caller }: McpExchange): void {
    const error = fail('route.not_found', 'Session not found: initialize again');
    sendRpcRefusal(res, error, caller.correlationId, { code: SESSION_NOT_FOUND });
  }

  private refuseMissingSession({ res, caller }: McpExchange): void {
    const error = fail('input.invalid', 'the header Mcp-Session-Id is required', { field: 'Mcp-Session-Id' });
    sendRpcRefusal(res, error, caller.correlationId, { code: TRANSPORT_ERROR });
  }

  private refuseSecondInitialize({ res, caller }: McpExchange): void {
    const error = fail('input.invalid', 'this session is initialized already; send initialize without Mcp-Session-Id', {
      field: 'Mcp-Session-Id',
    });
    sendRpcRefusal(res, error, caller.correlationId, { code: INVALID_REQUEST });
  }
}

const isInitialize = ({ method }: { readonly method?: string }): boolean => method === 'initialize';

/** The caller has been authenticated with it. */
const credentialOf = ({ req }: McpExchange): string => bearerOf(req.headers.authorization);

/**
 * The transport requires both of its content types by name. A client that accepts anything accepts these too, and a
 * one-shot answer is JSON, so plain curl works.
 */
const widenAccept = (headers: Headers, isOneShot: boolean): void => {
  const accept = headers.get('accept') ?? '*/*';
  const takesAnything = accept.includes('*/*');
  const takesJson = accept.includes('application/json') || accept.includes('application/*');
  if (takesAnything || (isOneShot && takesJson)) headers.set('accept', 'application/json, text/event-stream');
};
