import { FORGOTTEN_CHUNKS_SUBJECT, type ForgottenChunks } from '@cairn/contracts';
import { askAll, type NatsConnection } from '@cairn/messaging';
import type { Logger } from '@cairn/observability';
import { forgottenChunks } from '@cairn/projections';
import type { Pool } from 'pg';

/** A search that does not answer in this time is unavailable, and drops its vectors when it reconnects. */
const WAIT_MS = 250;
/** Ids of 36 characters, well below the largest message. */
const CHUNKS_MAX = 10_000;

export interface SearchMemoriesParts {
  readonly nats: NatsConnection;
  readonly pool: Pool;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * The vectors that replicas of search hold in memory. The replicas are not listed anywhere: as many answers are awaited as came the
 * last time, and the first time all that come within the limit.
 */
export class SearchMemories {
  private replicas = Infinity;

  constructor(private readonly parts: SearchMemoriesParts) {}

  /** Resolves when all replicas have overwritten the vectors. Never fails: no search finds what the library has removed. */
  async forget(receiptIds: readonly string[]): Promise<void> {
    const { pool, logger } = this.parts;
    try {
      const chunkIds = await forgottenChunks(pool, receiptIds);
      for (let at = 0; at < chunkIds.length; at += CHUNKS_MAX)
        await this.ask({ chunkIds: chunkIds.slice(at, at + CHUNKS_MAX) });
    } catch (thrown) {
      logger.warn({ err: thrown, receiptIds }, 'the memory of search may hold vectors of what was forgotten');
    }
  }

  /** Counts to the end, also after the caller has stopped waiting: a new replica is then known the next time. */
  private ask(chunks: ForgottenChunks): Promise<void> {
    const expected = this.replicas;
    const question = { subject: FORGOTTEN_CHUNKS_SUBJECT, message: JSON.stringify(chunks), waitMs: WAIT_MS };
    return new Promise((resolve, reject) => {
      const onAnswer = (count: number) => (count === expected ? resolve() : undefined);
      const counted = askAll(this.parts.nats, { ...question, onAnswer });
      const atEnd = (count: number) => {
        this.replicas = Math.max(count, 1);
        resolve();
      };
      counted.then(atEnd, reject);
    });
  }
}
