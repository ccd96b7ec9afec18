import type { ServerResponse } from 'node:http';
import { fail, STREAM_UNREAD_BYTES_MAX, STREAMS_PER_TOKEN_MAX } from '@cairn/contracts';

const KEEP_ALIVE_MS = 15_000;

/**
 * Answers that stay open, of all kinds together: `GET /mcp`, `/mcp/sse`, `subscriptions/listen`, `GET /events`. Each
 * costs a connection and a buffer of unread data, so a token may hold only a few, and a stream whose client does not
 * read is cut (ADR 0057).
 */
export class OpenStreams {
  private readonly places = new Map<string, number>();
  private readonly held = new WeakSet<ServerResponse>();
  private isClosed = false;

  constructor(private readonly unreadBytesMax = STREAM_UNREAD_BYTES_MAX) {}

  /** From now on no stream is opened, so those that are open can be ended. */
  close(): void {
    this.isClosed = true;
  }

  isHeld(res: ServerResponse): boolean {
    return this.held.has(res);
  }

  /** Takes a place until the response is closed. */
  hold(res: ServerResponse, tokenId: string): void {
    if (this.isClosed) throw fail('service.unavailable', 'Cairn is stopping; open the stream again');
    const count = this.places.get(tokenId) ?? 0;
    if (count >= STREAMS_PER_TOKEN_MAX) {
      const message = `a token may have ${STREAMS_PER_TOKEN_MAX} streams open; close one first`;
      throw fail('busy', message, { limit: STREAMS_PER_TOKEN_MAX });
    }
    this.places.set(tokenId, count + 1);
    this.held.add(res);
    this.cutUnread(res);
    const keepAlive = setInterval(() => sendKeepAlive(res), KEEP_ALIVE_MS).unref();
    res.once('close', () => {
      clearInterval(keepAlive);
      this.release(tokenId);
    });
  }

  /**
   * Runs before every write, whether ours or an SDK's. One message may have any length; the next one finds it unread.
   */
  private cutUnread(res: ServerResponse): void {
    const write = res.write.bind(res) as (...args: unknown[]) => boolean;
    res.write = (...args: unknown[]): boolean => {
      if (res.writableLength <= this.unreadBytesMax) return write(...args);
      res.destroy();
      return false;
    };
  }

  private release(tokenId: string): void {
    const count = (this.places.get(tokenId) ?? 1) - 1;
    if (count === 0) this.places.delete(tokenId);
    else this.places.set(tokenId, count);
  }
}

/** Proxies close silent connections, and only a write detects that a peer is gone. */
export const sendKeepAlive = (res: ServerResponse): void => {
  if (res.headersSent && !res.writableEnded) res.write(': keepalive\n\n');
};
