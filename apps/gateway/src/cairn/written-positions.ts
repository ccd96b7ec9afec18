import { setTimeout as delay } from 'node:timers/promises';
import { messageIn, TOKEN_WROTE_SUBJECT, TokenWrote } from '@cairn/contracts';
import type { NatsConnection } from '@cairn/messaging';
import { LRUCache } from 'lru-cache';

/** The number of tokens whose last write is remembered. For a token that is dropped, the next read does not wait. */
const POSITIONS_MAX = 10_000;
/** How long a write waits for the broker to take its notice. The write is durable, so it is answered in any case. */
const ANNOUNCE_MS_MAX = 1_000;

interface Known {
  /** The token's last write through any gateway. */
  readonly position: number;
  /** Its last write through another gateway. */
  readonly reported: number;
}

const NONE: Known = { position: -1, reported: -1 };

/** The position of each token's last write, through whichever gateway it was made (ADR 0124). */
export class WrittenPositions {
  private readonly known = new LRUCache<string, Known>({ max: POSITIONS_MAX });

  /** `announce` tells the other gateways, and resolves when the broker has passed it on. */
  constructor(
    private readonly announce: (tokenId: string, position: number) => Promise<unknown> = () => Promise.resolve(),
  ) {}

  /** Undefined for a token that has written nothing lately. */
  of(tokenId: string): number | undefined {
    return this.known.get(tokenId)?.position;
  }

  /** Whether another gateway has meanwhile reported a write of the token beyond this position. */
  isReportedBeyond(tokenId: string, position = NONE.position): boolean {
    return (this.known.get(tokenId) ?? NONE).reported > position;
  }

  /** A write through this gateway. It must not be answered before this resolves. */
  async wrote(tokenId: string, position: number): Promise<void> {
    const known = this.known.get(tokenId) ?? NONE;
    if (position > known.position) this.known.set(tokenId, { ...known, position });
    await this.announce(tokenId, position);
  }

  /** A write through another gateway. */
  receive({ tokenId, position }: Pick<TokenWrote, 'tokenId' | 'position'>): void {
    const known = this.known.get(tokenId) ?? NONE;
    if (position <= known.reported) return;
    this.known.set(tokenId, { position: Math.max(position, known.position), reported: position });
  }
}

/** Resolves when the broker has taken the notice, or has not for too long. */
const announceOver = async (nats: NatsConnection, wrote: TokenWrote): Promise<void> => {
  try {
    nats.publish(TOKEN_WROTE_SUBJECT, JSON.stringify(wrote));
    await Promise.race([nats.flush(), delay(ANNOUNCE_MS_MAX, undefined, { ref: false })]);
  } catch {
    // The connection is closed or lost. The write is durable, and its caller must learn that.
  }
};

/** Positions that all gateways of a broker share. */
export const sharedPositions = (nats: NatsConnection, replicaId: string): WrittenPositions => {
  const positions = new WrittenPositions((tokenId, position) => announceOver(nats, { tokenId, position, replicaId }));
  nats.subscribe(TOKEN_WROTE_SUBJECT, {
    callback: (error, message) => {
      const wrote = error ? undefined : messageIn(TokenWrote, message.string());
      if (wrote && wrote.replicaId !== replicaId) positions.receive(wrote);
    },
  });
  return positions;
};
