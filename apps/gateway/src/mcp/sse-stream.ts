import type { ServerResponse } from 'node:http';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import type { McpCaller } from './dispatcher.js';
import { infoOf } from './mcp-exchange.js';
import type { RequestId, RpcMessage } from './message-check.js';

/** One open SSE stream, and the requests that wait for their answer on it. */
export class SseStream {
  readonly transport: SSEServerTransport;
  private readonly waiting = new Set<RequestId>();
  private onIdle = (): void => undefined;

  constructor(
    endpoint: string,
    private readonly res: ServerResponse,
    readonly tokenId: string,
  ) {
    this.transport = new SSEServerTransport(endpoint, res);
    const send = this.transport.send.bind(this.transport);
    this.transport.send = async (message) => {
      await send(message);
      if ('id' in message && !('method' in message)) this.answered(message.id as RequestId);
    };
  }

  get id(): string {
    return this.transport.sessionId;
  }

  async deliver(messages: readonly RpcMessage[], caller: McpCaller): Promise<void> {
    const authInfo = infoOf(caller, messages) as never;
    for (const message of messages) {
      if (message.method !== undefined && message.id !== undefined) this.waiting.add(message.id);
      await this.transport.handleMessage(message, { authInfo });
    }
  }

  /** Closes the stream once every request is answered, or its client is gone. */
  async finish(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.res.once('close', resolve));
    const idle = new Promise<void>((resolve) => (this.onIdle = resolve));
    if (this.waiting.size > 0 && !this.res.closed) await Promise.race([idle, closed]);
    await this.transport.close();
  }

  private answered(id: RequestId): void {
    this.waiting.delete(id);
    if (this.waiting.size === 0) this.onIdle();
  }
}
