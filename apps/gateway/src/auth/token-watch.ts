import { SYSTEM_TOKEN_ID, systemPrincipal, TOKENS_PER_CHECK_MAX, type ResolvedToken } from '@cairn/contracts';
import { uuidV7, type Clock } from '@cairn/kernel';
import type { Requester } from '@cairn/messaging';

/** How often the tokens that hold something open are checked; with an ordinary lookup, a cut takes under two seconds. */
export const CHECK_INTERVAL_MS = 1_000;
const CHECK_TIMEOUT_MS = 2_000;
/** A token that could not be checked for this long loses its open streams and requests. */
export const UNCHECKED_MAX_MS = 10_000;

interface Held {
  readonly expiresAtMs: number;
  readonly cuts: Set<() => void>;
  checkedAtMs: number;
}

/**
 * Cuts open streams and requests in flight when their token is revoked, which ingest announces to every gateway at
 * once, or when it expires. A check every second makes up for a lost message. If the check stays unavailable, they are
 * cut as well.
 */
export class TokenWatch {
  private readonly held = new Map<string, Held>();
  private readonly listeners: ((tokenId: string) => void)[] = [];
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly requester: Pick<Requester, 'query'>,
    private readonly clock: Clock,
  ) {
    this.timer = setInterval(() => void this.check(), CHECK_INTERVAL_MS).unref();
  }

  /** The listener is called for every token that ended, whether it held anything or not, before its streams are cut. */
  onEnd(listener: (tokenId: string) => void): void {
    this.listeners.push(listener);
  }

  /** `cut` is called once, if the token ends before the returned function is called. */
  hold({ principal: { tokenId }, expiresAt }: ResolvedToken, cut: () => void): () => void {
    const checkedAtMs = this.clock.now();
    const held = this.held.get(tokenId) ?? { expiresAtMs: Date.parse(expiresAt), cuts: new Set(), checkedAtMs };
    // The caller has just been authenticated, which counts as a check.
    held.checkedAtMs = checkedAtMs;
    held.cuts.add(cut);
    this.held.set(tokenId, held);
    return () => {
      held.cuts.delete(cut);
      if (held.cuts.size === 0 && this.held.get(tokenId) === held) this.held.delete(tokenId);
    };
  }

  end(tokenId: string): void {
    for (const listener of this.listeners) listener(tokenId);
    const held = this.held.get(tokenId);
    this.held.delete(tokenId);
    held?.cuts.forEach((cut) => cut());
  }

  /** Cuts everything that has ended by now; also called by the timer. */
  async check(): Promise<void> {
    const now = this.clock.now();
    for (const [tokenId, { expiresAtMs }] of this.held) if (expiresAtMs <= now) this.end(tokenId);
    const tokenIds = [...this.held.keys()];
    const groups = Array.from({ length: Math.ceil(tokenIds.length / TOKENS_PER_CHECK_MAX) }, (_, i) =>
      tokenIds.slice(i * TOKENS_PER_CHECK_MAX, (i + 1) * TOKENS_PER_CHECK_MAX),
    );
    await Promise.all(groups.map((group) => this.ask(group, now)));
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async ask(tokenIds: readonly string[], askedAtMs: number): Promise<void> {
    const context = { principal: systemPrincipal(SYSTEM_TOKEN_ID), correlationId: uuidV7(), id: uuidV7() };
    try {
      const query = { tokenIds: [...tokenIds] };
      const ended = await this.requester.query('tokens.ended', query, { ...context, timeoutMs: CHECK_TIMEOUT_MS });
      for (const tokenId of ended.tokenIds) this.end(tokenId);
      for (const tokenId of tokenIds) this.confirm(tokenId, askedAtMs);
    } catch {
      this.endUnchecked(tokenIds);
    }
  }

  private confirm(tokenId: string, askedAtMs: number): void {
    const held = this.held.get(tokenId);
    if (held) held.checkedAtMs = Math.max(held.checkedAtMs, askedAtMs);
  }

  private endUnchecked(tokenIds: readonly string[]): void {
    const oldest = this.clock.now() - UNCHECKED_MAX_MS;
    for (const tokenId of tokenIds) {
      const held = this.held.get(tokenId);
      if (held && held.checkedAtMs < oldest) this.cutOnly(tokenId, held);
    }
  }

  /** The token itself may be valid: it is only no longer trusted without a lookup. */
  private cutOnly(tokenId: string, held: Held): void {
    this.held.delete(tokenId);
    held.cuts.forEach((cut) => cut());
  }
}
