import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Ends a server without cutting an answer short: idle connections are closed at once, the others after their answer,
 * and all of them when the time is up. Node's own `closeIdleConnections` skips connections that were opened ahead of
 * their first request.
 */
export class ConnectionDrain {
  private readonly inFlight = new Map<Socket, Set<ServerResponse>>();
  private isLeaving = false;
  private isClosing = false;

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => this.add(socket));
    // Before the handlers, which may send the headers at once.
    server.prependListener('request', (req: IncomingMessage, res: ServerResponse) => this.begin(req.socket, res));
  }

  /** From now on every answer is the last one on its connection, so that its client connects elsewhere. */
  leave(): void {
    this.isLeaving = true;
    for (const res of this.responses()) res.shouldKeepAlive = false;
  }

  /** Accepts no more connections; resolves when the last one is closed. */
  async close(patienceMs: number): Promise<void> {
    this.leave();
    this.isClosing = true;
    // `close` calls it, and it destroys connections whose answer is complete but not sent yet.
    this.server.closeIdleConnections = () => undefined;
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    const cut = setTimeout(() => this.server.closeAllConnections(), patienceMs);
    for (const [socket, responses] of this.inFlight) if (responses.size === 0) socket.destroy();
    await closed;
    clearTimeout(cut);
  }

  /** Resolves when every request is answered, apart from those whose answer is a stream that ends on demand. */
  async answered(isStream: (res: ServerResponse) => boolean): Promise<void> {
    for (;;) {
      const [pending] = this.responses().filter((res) => !isStream(res));
      if (!pending) return;
      await once(pending, 'close');
    }
  }

  private responses(): ServerResponse[] {
    return [...this.inFlight.values()].flatMap((responses) => [...responses]);
  }

  private add(socket: Socket): void {
    this.inFlight.set(socket, new Set());
    socket.once('close', () => this.inFlight.delete(socket));
  }

  private begin(socket: Socket, res: ServerResponse): void {
    const responses = this.inFlight.get(socket);
    responses?.add(res);
    if (this.isLeaving) res.shouldKeepAlive = false;
    res.once('close', () => {
      responses?.delete(res);
      if (this.isClosing && responses?.size === 0) socket.end();
    });
  }
}
