import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { fail } from '@cairn/contracts';
import type { OpenStreams } from '../http/open-streams.js';
import { abortOnHangUp, sendWebResponse, toWebRequest } from '../http/web-exchange.js';
import type { CreateServer } from './legacy-server.js';
import { callerInfo, type McpExchange } from './mcp-exchange.js';
import { sendRpcRefusal, TRANSPORT_ERROR } from './rpc-error.js';
import type { Session, SessionOwner } from './sessions.js';

/** The code that both SDKs return for an unknown session. */
const SESSION_NOT_FOUND = -32001;

/** Every protocol revision up to 2025-11-25: sessions for clients that request one, one-shot answers for the others. */
export class InitializeLeg {
  constructor(
    private readonly sessions: SessionOwner,
    private readonly createServer: CreateServer,
    private readonly streams: OpenStreams,
  ) {}

  async serve(exchange: McpExchange): Promise<void> {
    const { req, caller, messages } = exchange;
    const sessionId = req.headers['mcp-session-id'];
    if (sessionId !== undefined) {
      const session = this.sessions.find(String(sessionId), caller.principal.tokenId);
      return session ? this.serveSession(exchange, session) : this.refuseSession(exchange);
    }
    if (req.method !== 'POST') return this.refuseMissingSession(exchange);
    if (messages.some((message) => message.method === 'initialize')) return this.initialize(exchange);
    return this.serveOnce(exchange);
  }

  private async initialize(exchange: McpExchange): Promise<void> {
    const session = await this.sessions.open(exchange.caller.principal);
    await this.forward(exchange, session.transport);
    if (session.transport.sessionId === undefined) await session.transport.close();
  }

  private async serveSession(exchange: McpExchange, session: Session): Promise<void> {
    const { req, res, caller } = exchange;
    if (req.method === 'GET') {
      this.streams.hold(res, caller.principal.tokenId);
      res.once('close', session.holdOpen());
    }
    await this.forward(exchange, session.transport);
  }

  /** A message without a session is answered without keeping state: some clients never open a session. */
  private async serveOnce(exchange: McpExchange): Promise<void> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: undefined as never,
      enableJsonResponse: true,
    });
    await this.createServer(exchange.caller.principal).connect(transport);
    await this.forward(exchange, transport, true);
    await transport.close();
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
}

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
