import type { Logger, Metrics } from '@cairn/observability';
import type { Turn } from '@cairn/op-log';
import type { Pool } from 'pg';
import { Rounds } from '../rounds.js';

const COUNT_PAUSE_MS = 30_000;
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
  readonly turn: Turn;
}

/** Counts the ambiguous edges of all workspaces that wait for a verdict, for the metric. */
export class ReviewCounter {
  private readonly rounds = new Rounds({
    round: () => this.countOpen(),
    onFailure: ({ code, message }) =>
      this.parts.logger.debug({ code }, `open reviews could not be counted, the next round tries again: ${message}`),
    pauseMs: COUNT_PAUSE_MS,
    isWanted: () => this.parts.turn.isOurs,
    pausesFirst: true,
  });

  constructor(private readonly parts: ReviewCounterParts) {}

  start(): void {
    this.rounds.start();
  }

  stop(): Promise<void> {
    return this.rounds.stop();
  }

  /** Counts now; also called by tests. */
  count(): Promise<void> {
    return this.rounds.now();
  }

  private async countOpen(): Promise<void> {
    const { pool, metrics } = this.parts;
    const { rows } = await pool.query<{ open: number }>(OPEN);
    metrics.reviewOpen.set(rows[0]!.open);
  }
}
