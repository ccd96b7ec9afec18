import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import {
  ANONYMOUS_BODY_MS_MAX,
  BODY_GRACE_MS,
  BODY_IDLE_MS_MAX,
  fail,
  HEADERS_TIMEOUT_MS,
  PEER_BYTES_PER_SEC_MIN,
  REFUSED_BODY_MS_MAX,
} from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';

export interface PeerLimits {
  readonly headersMs: number;
  readonly bodyIdleMs: number;
  readonly graceMs: number;
  readonly bytesPerSec: number;
  readonly anonymousBodyMs: number;
  readonly refusedBodyMs: number;
  /** How often the peers are checked. */
  readonly sweepMs: number;
}

export const PEER_LIMITS: PeerLimits = {
  headersMs: HEADERS_TIMEOUT_MS,
  bodyIdleMs: BODY_IDLE_MS_MAX,
  graceMs: BODY_GRACE_MS,
  bytesPerSec: PEER_BYTES_PER_SEC_MIN,
  anonymousBodyMs: ANONYMOUS_BODY_MS_MAX,
  refusedBodyMs: REFUSED_BODY_MS_MAX,
  sweepMs: 1_000,
};

/** The state of one request when it is checked; times in milliseconds. */
export interface PeerState {
  readonly now: number;
  readonly startedAt: number;
  /** When the last bytes of the body arrived. */
  readonly progressAt: number;
  readonly receivedBytes: number;
  readonly isBodyPending: boolean;
  readonly isAnonymous: boolean;
  /** When the answer was found to be written, and how much of it was still unsent. */
  readonly answered?: { readonly at: number; readonly unsentBytes: number } | undefined;
}

/** A sender that keeps this rate never runs out of time; one that sends a byte now and then does. */
const timeFor = (bytes: number, { graceMs, bytesPerSec }: PeerLimits): number =>
  graceMs + (bytes / bytesPerSec) * 1_000;

/** Whether the peer has used up its time: to send the body, to stop sending a rejected one, or to read the answer. */
export const isOverdue = (peer: PeerState, limits: PeerLimits): boolean => {
  const { now, startedAt, progressAt, receivedBytes, isBodyPending, isAnonymous, answered } = peer;
  if (answered && isBodyPending) return now - answered.at > limits.refusedBodyMs;
  if (answered) return now - answered.at > timeFor(answered.unsentBytes, limits);
  if (!isBodyPending) return false;
  if (now - progressAt > limits.bodyIdleMs) return true;
  return now - startedAt > (isAnonymous ? limits.anonymousBodyMs : timeFor(receivedBytes, limits));
};

const bodyTooSlow = ({ bodyIdleMs }: PeerLimits): AppError =>
  fail('input.timeout', 'the body did not arrive in time', { field: 'body', limit: bodyIdleMs });

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** One request and the activity of its peer so far. */
class Exchange {
  private readonly startedAt: number;
  private readonly bytesBefore: number;
  private readonly hasBody: boolean;
  private receivedBytes = 0;
  private progressAt: number;
  private answered: PeerState['answered'];

  constructor(
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
    private readonly isAnonymous: boolean,
    private readonly now: () => number,
  ) {
    this.startedAt = now();
    this.progressAt = this.startedAt;
    this.bytesBefore = req.socket.bytesRead;
    this.hasBody = hasBody(req);
  }

  get isBodyPending(): boolean {
    return this.hasBody && !this.req.complete;
  }

  get isOver(): boolean {
    return this.req.socket.destroyed || (this.res.closed && !this.isBodyPending);
  }

  look(): PeerState {
    const { req, res, startedAt, isAnonymous, isBodyPending } = this;
    const now = this.now();
    const receivedBytes = req.socket.bytesRead - this.bytesBefore;
    // Data that has arrived is ours to read, so the peer is not to blame for the pause.
    if (receivedBytes > this.receivedBytes || req.readableLength > 0) this.progressAt = now;
    this.receivedBytes = receivedBytes;
    if (res.writableEnded) this.answered ??= { at: now, unsentBytes: res.writableLength };
    const { progressAt, answered } = this;
    return { now, startedAt, progressAt, receivedBytes, isBodyPending, isAnonymous, answered };
  }
}

/**
 * Ends exchanges with peers that do not send or do not read: no one can hold a connection by doing nothing (ADR 0057).
 * Node itself limits the headers; its limit for a whole request would cut legitimate uploads on slow lines.
 */
export class PeerDeadlines {
  private readonly exchanges = new Set<Exchange>();

  constructor(
    server: Server,
    private readonly isAnonymous: (req: IncomingMessage) => boolean,
    private readonly refuse: (req: IncomingMessage, res: ServerResponse, error: AppError) => void,
    private readonly limits: PeerLimits = PEER_LIMITS,
    /** A monotonic clock in milliseconds, independent of the time of day. */
    private readonly now: () => number = () => performance.now(),
  ) {
    // Node reads this when the server starts to listen. It is an option of `createServer`, but Nest makes that call.
    Object.assign(server, { connectionsCheckingInterval: limits.sweepMs });
    server.headersTimeout = limits.headersMs;
    server.requestTimeout = 0;
    server.prependListener('request', (req: IncomingMessage, res: ServerResponse) => this.add(req, res));
    const sweeper = setInterval(() => this.sweep(), limits.sweepMs).unref();
    server.once('close', () => clearInterval(sweeper));
  }

  private add(req: IncomingMessage, res: ServerResponse): void {
    const exchange = new Exchange(req, res, this.isAnonymous(req), this.now);
    this.exchanges.add(exchange);
    res.once('close', () => {
      if (!exchange.isBodyPending) this.exchanges.delete(exchange);
    });
  }

  /** Checks every peer; called by a timer. */
  sweep(): void {
    for (const exchange of this.exchanges) {
      if (exchange.isOver) this.exchanges.delete(exchange);
      else if (isOverdue(exchange.look(), this.limits)) this.end(exchange);
    }
  }

  /** A peer that waits for its answer gets one, and then the connection is closed. */
  private end({ req, res }: Exchange): void {
    if (res.headersSent) return void req.socket.destroy();
    res.setHeader('Connection', 'close');
    this.refuse(req, res, bodyTooSlow(this.limits));
  }
}
