import { fail } from '@cairn/contracts';
import type { OpenStreams } from '../http/open-streams.js';
import type { CreateServer } from './legacy-server.js';
import { mcpCallerOf, type McpExchange } from './mcp-exchange.js';
import type { Delivery, PostedMessages, SseRelay } from './sse-relay.js';
import { SseStream } from './sse-stream.js';

const MESSAGES_PATH = '/mcp/messages';

/** HTTP+SSE, deprecated but still in use: requests are posted, answers arrive on a stream. */
export class SseLeg {
  private readonly streams = new Map<string, SseStream>();

  constructor(
    private readonly createServer: CreateServer,
    private readonly open: OpenStreams,
    private readonly relay: SseRelay,
  ) {
    relay.take((posted) => this.deliver(posted));
  }

  async openStream({ res, caller }: McpExchange): Promise<void> {
    const { tokenId } = caller.principal;
    this.open.hold(res, tokenId);
    // A message may be posted to any replica, so the address says which one holds the stream.
    const stream = new SseStream(`${MESSAGES_PATH}?replica=${this.relay.replicaId}`, res, tokenId);
    // Proxies must pass each event on at once.
    res.setHeader('X-Accel-Buffering', 'no');
    res.once('close', () => this.streams.delete(stream.id));
    this.streams.set(stream.id, stream);
    await this.createServer(caller.principal).connect(stream.transport);
  }

  async post(exchange: McpExchange): Promise<void> {
    const { req, res, messages } = exchange;
    const { searchParams } = new URL(req.url ?? '/', 'http://localhost');
    const replicaId = searchParams.get('replica') ?? '';
    const streamId = searchParams.get('sessionId') ?? '';
    const posted = { streamId, caller: mcpCallerOf(exchange, 'sse'), messages };
    const isHere = replicaId === this.relay.replicaId;
    const delivery = isHere ? await this.deliver(posted) : await this.relay.send(replicaId, posted);
    if (delivery === 'unknown') throw fail('route.not_found', 'Session not found: open a new stream');
    res.writeHead(202, { 'content-type': 'text/plain' }).end('Accepted');
  }

  /** Accepts no further messages, and ends each stream after its last answer. */
  async closeAll(): Promise<void> {
    this.relay.close();
    await Promise.all([...this.streams.values()].map((stream) => stream.finish()));
  }

  /** A stream belongs to the token that opened it; to any other, it does not exist. */
  private async deliver({ streamId, caller, messages }: PostedMessages): Promise<Delivery> {
    const stream = this.streams.get(streamId);
    if (stream?.tokenId !== caller.principal.tokenId) return 'unknown';
    await stream.deliver(messages, caller);
    return 'accepted';
  }
}
