import { randomBytes } from 'node:crypto';
import { fail, type Principal } from '@cairn/contracts';
import type { Clock } from '@cairn/kernel';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { CreateServer } from './legacy-server.js';

export const SESSION_IDLE_MS = 30 * 60_000;
export const SESSIONS_PER_TOKEN_MAX = 32;
export const SESSIONS_MAX = 5_000;
const SWEEP_INTERVAL_MS = 30_000;
const SESSION_ID_BYTES = 24;

export interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** A session that serves a stream is not idle, however long it receives nothing. */
  holdOpen(): () => void;
}

/**
 * The owner of the sessions of the initialize era. Today that is this process; a directory over all replicas, which
 * forwards a request to the owner of its session, could replace it without a change in the leg.
 */
export interface SessionOwner {
  /** Undefined for unknown, ended and foreign sessions alike. */
  find(sessionId: string, tokenId: string): Session | undefined;
  /** A transport whose `initialize` opens a session of this principal's token. */
  open(principal: Principal): Promise<Session>;
  /** Ends every session of a token that is no longer valid. */
  endOf(tokenId: string): void;
  closeAll(): void;
}

interface Held {
  readonly tokenId: string;
  readonly session: Session;
  lastUsedAt: number;
  holds: number;
}

export class LocalSessions implements SessionOwner {
  private readonly held = new Map<string, Held>();
  private readonly sweeper: NodeJS.Timeout;

  constructor(
    private readonly createServer: CreateServer,
    private readonly clock: Clock,
  ) {
    this.sweeper = setInterval(() => this.sweep(), SWEEP_INTERVAL_MS).unref();
  }

  find(sessionId: string, tokenId: string): Session | undefined {
    const held = this.held.get(sessionId);
    if (held?.tokenId !== tokenId) return undefined;
    held.lastUsedAt = this.clock.now();
    return held.session;
  }

  async open(principal: Principal): Promise<Session> {
    const { tokenId } = principal;
    this.makeRoom(tokenId);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomBytes(SESSION_ID_BYTES).toString('base64url'),
      onsessioninitialized: (id) => void this.held.set(id, held),
      onsessionclosed: (id) => void this.held.delete(id),
    });
    const held: Held = {
      tokenId,
      session: { transport, holdOpen: () => hold(held) },
      lastUsedAt: this.clock.now(),
      holds: 0,
    };
    await this.createServer(principal).connect(transport);
    return held.session;
  }

  /** Ends the sessions that have been idle for a while; also called by the timer. */
  sweep(): void {
    const oldest = this.clock.now() - SESSION_IDLE_MS;
    for (const [id, held] of this.held) if (held.holds === 0 && held.lastUsedAt < oldest) this.end(id, held);
  }

  endOf(tokenId: string): void {
    for (const [id, held] of this.held) if (held.tokenId === tokenId) this.end(id, held);
  }

  closeAll(): void {
    clearInterval(this.sweeper);
    for (const [id, held] of this.held) this.end(id, held);
  }

  get size(): number {
    return this.held.size;
  }

  /** Clients seldom close a session, so a token's oldest session yields to its newest one. */
  private makeRoom(tokenId: string): void {
    const own = [...this.held].filter(([, held]) => held.tokenId === tokenId);
    if (own.length >= SESSIONS_PER_TOKEN_MAX) {
      const [id, held] = own.reduce((a, b) => (a[1].lastUsedAt <= b[1].lastUsedAt ? a : b));
      this.end(id, held);
    } else if (this.held.size >= SESSIONS_MAX) {
      throw fail('busy', `this server has ${SESSIONS_MAX} sessions open; try again later`, {
        limit: SESSIONS_MAX,
      });
    }
  }

  private end(id: string, held: Held): void {
    this.held.delete(id);
    void held.session.transport.close();
  }
}

const hold = (held: Held): (() => void) => {
  held.holds++;
  return () => void held.holds--;
};
