import { LRUCache } from 'lru-cache';
import { isSessionOf, mintSessionId, sessionName } from './session-id.js';

/**
 * Sessions that clients have ended. Beyond this number the oldest is forgotten: its id would work again, but only
 * together with the token that it belongs to.
 */
const ENDED_MAX = 10_000;

/** A stream that a session holds open in this process. */
export interface SessionStream {
  close(): Promise<void>;
}

/**
 * The sessions of the initialize era. A session is only an id: a gateway keeps nothing for it, so every replica serves
 * it, and it lasts as long as its token (ADR 0123). What gateways do remember are the sessions that clients have ended.
 */
export class Sessions {
  private readonly ended = new LRUCache<string, true>({ max: ENDED_MAX });
  private readonly streams = new Map<SessionStream, string>();

  /** `announce` tells every gateway, and resolves when they know. */
  constructor(private readonly announce: (name: string) => Promise<unknown> = () => Promise.resolve()) {}

  /** The id of a new session of the caller with this credential. */
  open(credential: string): string {
    return mintSessionId(credential);
  }

  /** False for unknown, ended and foreign sessions alike. */
  has(sessionId: string, credential: string): boolean {
    return isSessionOf(sessionId, credential) && !this.ended.has(sessionName(sessionId));
  }

  async end(sessionId: string): Promise<void> {
    this.ending(sessionName(sessionId));
    await this.announce(sessionName(sessionId));
  }

  /** A client has ended the session, here or at another gateway. */
  ending(name: string): void {
    this.ended.set(name, true);
    for (const [stream, session] of this.streams) if (session === name) void stream.close();
  }

  /** The stream is closed when its session ends. */
  hold(sessionId: string, stream: SessionStream): () => void {
    this.streams.set(stream, sessionName(sessionId));
    return () => void this.streams.delete(stream);
  }

  /** Ends the streams of this process. The sessions go on at the other replicas. */
  closeAll(): void {
    for (const stream of this.streams.keys()) void stream.close();
  }
}
