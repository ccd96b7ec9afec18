import { asAppError } from '@cairn/contracts';
import type { Logger, Metrics } from '@cairn/observability';
import type { Pool } from 'pg';

const COUNT_INTERVAL_MS = 30_000;
/**
 * More than a person can work through: above it the exact number does not matter, and counting it would cost a scan.
 */
const COUNTED_MAX = 10_000;

const OPEN = `select count(*)::int as open from (
  select from graph.edges e
  where e.source_kind = 'ambiguous' and not e.negated
    and not exists (select from graph.reviews r where r.chunk_id = e.chunk_id and r.ref_hash = e.ref_hash)
  limit ${COUNTED_MAX}) waiting`;

export interface ReviewCounterParts {
  readonly pool: Pool;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Counts the ambiguous edges of all workspaces that wait for a verdict, for the metric. */
export class ReviewCounter {
  private timer: NodeJS.Timeout | undefined;
  private counting: Promise<void> | undefined;

  constructor(private readonly parts: ReviewCounterParts) {}

  start(): void {
    this.timer = setInterval(() => void this.count(), COUNT_INTERVAL_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.counting;
  }

  /** Runs one count at a time; also called by the timer. */
  count(): Promise<void> {
    this.counting ??= this.countOnce().finally(() => (this.counting = undefined));
    return this.counting;
  }

  private async countOnce(): Promise<void> {
    const { pool, metrics, logger } = this.parts;
    try {
      const { rows } = await pool.query<{ open: number }>(OPEN);
      metrics.reviewOpen.set(rows[0]!.open);
    } catch (thrown) {
      const { code, message } = asAppError(thrown);
      logger.debug({ code }, `open reviews could not be counted, the next round tries again: ${message}`);
    }
  }
}
