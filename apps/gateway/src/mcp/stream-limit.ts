import { fail } from '@cairn/contracts';

export const STREAMS_PER_TOKEN_MAX = 5;

/** Open streams cost a connection each; a token holds a handful of them and no more. */
export class StreamLimit {
  private readonly open = new Map<string, number>();

  /** Returns what gives the place back. */
  take(tokenId: string): () => void {
    const count = this.open.get(tokenId) ?? 0;
    if (count >= STREAMS_PER_TOKEN_MAX) {
      const message = `a token may have ${STREAMS_PER_TOKEN_MAX} streams open; close one first`;
      throw fail('busy', message, { limit: STREAMS_PER_TOKEN_MAX });
    }
    this.open.set(tokenId, count + 1);
    return () => this.release(tokenId);
  }

  private release(tokenId: string): void {
    const count = (this.open.get(tokenId) ?? 1) - 1;
    if (count === 0) this.open.delete(tokenId);
    else this.open.set(tokenId, count);
  }
}
