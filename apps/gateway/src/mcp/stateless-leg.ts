import { createMcpHandler, Server, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { Logger } from '@cairn/observability';
import { abortOnHangUp, sendWebResponse, toWebRequest } from '../http/web-exchange.js';
import { SERVER_INFO } from '../server-info.js';
import type { Dispatcher, McpCaller } from './dispatcher.js';
import { callerInfo, callerOf, type McpExchange } from './mcp-exchange.js';
import { instructionsOf } from './offered-tools.js';

const KEEP_ALIVE_MS = 15_000;
const SUBSCRIPTIONS_MAX = 1_024;

/** Protocol revision 2026-07-28: every request is independent. */
export class StatelessLeg {
  private readonly handler: McpHttpHandler;

  constructor(
    private readonly dispatcher: Dispatcher,
    logger: Logger,
  ) {
    this.handler = createMcpHandler(({ authInfo }) => this.server(callerOf(authInfo), authInfo?.extra?.['method']), {
      legacy: 'reject',
      keepAliveMs: KEEP_ALIVE_MS,
      maxSubscriptions: SUBSCRIPTIONS_MAX,
      onerror: (error) => logger.debug({ reason: error.name }, 'a stateless request was refused'),
    });
  }

  async serve(exchange: McpExchange): Promise<void> {
    const { req, res, body } = exchange;
    const request = toWebRequest(req, abortOnHangUp(res));
    const response = await this.handler.fetch(request, {
      parsedBody: body,
      authInfo: callerInfo(exchange, 'stateless'),
    });
    await sendWebResponse(res, response);
  }

  close(): Promise<void> {
    return this.handler.close();
  }

  /**
   * An unknown method gets no handler at all, because only then does the SDK answer with HTTP 404, as the revision
   * requires.
   */
  private server({ principal }: McpCaller, method: unknown): Server {
    const server = new Server(SERVER_INFO, {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: instructionsOf(principal),
    });
    if (typeof method === 'string' && this.dispatcher.knows(method)) {
      server.fallbackRequestHandler = (request, context) =>
        this.dispatcher.handle(request.method, request.params, callerOf(context.http?.authInfo));
    }
    return server;
  }
}
