import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Ends a server without cutting an answer short: idle connections are closed at once, the others after their answer,
 * and all of them when the time is up. Node's own `closeIdleConnections` skips connections that were opened ahead of
 * their first request.
 */
export class ConnectionDrain {
  private readonly inFlight = new Map<Socket, number>();
  private isClosing = false;

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => this.add(socket));
    server.on('request', (req: IncomingMessage, res: ServerResponse) => {
      this.count(req.socket, 1);
      res.once('close', () => this.count(req.socket, -1));
    });
  }

  async close(patienceMs: number): Promise<void> {
    this.isClosing = true;
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    const cut = setTimeout(() => this.server.closeAllConnections(), patienceMs);
    for (const [socket, count] of this.inFlight) if (count === 0) socket.destroy();
    await closed;
    clearTimeout(cut);
  }

  private add(socket: Socket): void {
    this.inFlight.set(socket, 0);
    socket.once('close', () => this.inFlight.delete(socket));
  }

  private count(socket: Socket, change: number): void {
    const count = (this.inFlight.get(socket) ?? 0) + change;
    if (this.inFlight.has(socket)) this.inFlight.set(socket, count);
    if (this.isClosing && count === 0) socket.end();
  }
}
