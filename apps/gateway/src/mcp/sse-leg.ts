import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { fail } from '@cairn/contracts';
import { callerInfo, type McpExchange } from './mcp-exchange.js';
import type { StreamLimit } from './stream-limit.js';

const KEEP_ALIVE_MS = 15_000;
const MESSAGES_PATH = '/mcp/messages';

interface OpenStream {
  readonly tokenId: string;
  readonly transport: SSEServerTransport;
}

/** HTTP+SSE, deprecated and still spoken (C-01): a stream of answers, and posts that cause them. */
export class SseLeg {
  private readonly streams = new Map<string, OpenStream>();

  constructor(
    private readonly createServer: () => Server,
    private readonly limit: StreamLimit,
  ) {}

  async openStream({ res, caller }: McpExchange): Promise<void> {
    const { tokenId } = caller.principal;
    const release = this.limit.take(tokenId);
    const transport = new SSEServerTransport(MESSAGES_PATH, res);
    // Proxies must pass each event on at once; the transport sends no keep-alive of its own.
    res.setHeader('X-Accel-Buffering', 'no');
    const keepAlive = setInterval(() => res.write(': keepalive\n\n'), KEEP_ALIVE_MS).unref();
    res.once('close', () => {
      clearInterval(keepAlive);
      this.streams.delete(transport.sessionId);
      release();
    });
    this.streams.set(transport.sessionId, { tokenId, transport });
    await this.createServer().connect(transport);
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
