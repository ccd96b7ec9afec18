import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { fail } from '@cairn/contracts';
import type { OpenStreams } from '../http/open-streams.js';
import type { CreateServer } from './legacy-server.js';
import { callerInfo, type McpExchange } from './mcp-exchange.js';

const MESSAGES_PATH = '/mcp/messages';

interface OpenStream {
  readonly tokenId: string;
  readonly transport: SSEServerTransport;
}

/** HTTP+SSE, deprecated but still in use: requests are posted, answers arrive on a stream. */
export class SseLeg {
  private readonly streams = new Map<string, OpenStream>();

  constructor(
    private readonly createServer: CreateServer,
    private readonly open: OpenStreams,
  ) {}

  async openStream({ res, caller }: McpExchange): Promise<void> {
    const { tokenId } = caller.principal;
    this.open.hold(res, tokenId);
    const transport = new SSEServerTransport(MESSAGES_PATH, res);
    // Proxies must pass each event on at once.
    res.setHeader('X-Accel-Buffering', 'no');
    res.once('close', () => this.streams.delete(transport.sessionId));
    this.streams.set(transport.sessionId, { tokenId, transport });
    await this.createServer(caller.principal).connect(transport);
  }

  async post(exchange: McpExchange): Promise<void> {
    const { req, res, caller, messages } = exchange;
    const sessionId = new URL(req.url ?? '/', 'http://localhost').searchParams.get('sessionId');
    const stream = this.streams.get(sessionId ?? '');
    if (stream?.tokenId !== caller.principal.tokenId)
      throw fail('route.not_found', 'Session not found: open a new stream');
    const authInfo = callerInfo(exchange, 'sse') as never;
    for (const message of messages) await stream.transport.handleMessage(message, { authInfo });
    res.writeHead(202, { 'content-type': 'text/plain' }).end('Accepted');
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.streams.values()].map(({ transport }) => transport.close()));
  }
}
