import { residentBytes } from '@cairn/contracts';
import type { Logger } from '@cairn/observability';
import type { Turn } from '@cairn/op-log';
import { createVectorIndex, dropVectorIndex, EXACT_CHUNKS_MAX, indexedVectors, vectorsOf } from '@cairn/ranking';
import type { Pool } from 'pg';
import { Rounds } from '../rounds.js';

const CHECK_PAUSE_MS = 60_000;
const MIB = 1024 * 1024;
/** An index is dropped only far below the size at which it is created, so that it is not built again and again. */
const DROP_BELOW = 0.5;

const SIZES = `
select workspace_id as "workspaceId", sum(chunk_count)::int as chunks
  from library.folders group by workspace_id having sum(chunk_count) > ${EXACT_CHUNKS_MAX}`;

export interface VectorIndexesParts {
  readonly pool: Pool;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** The memory in which search keeps vectors. */
  readonly residentMb: number;
  readonly turn: Turn;
}

/** Gives the workspaces whose vectors do not fit in the memory of search an HNSW index of their own. */
export class VectorIndexes {
  private readonly rounds = new Rounds({
    round: () => this.bringUpToDate(),
    onFailure: ({ code, message }) =>
      this.parts.logger.warn(
        { code },
        `the indexes of vectors are not up to date, a later check tries again: ${message}`,
      ),
    pauseMs: CHECK_PAUSE_MS,
    isWanted: () => this.parts.turn.isOurs,
    pausesFirst: true,
  });

  constructor(private readonly parts: VectorIndexesParts) {}

  start(): void {
    this.rounds.start();
  }

  stop(): Promise<void> {
    return this.rounds.stop();
  }

  /** Checks now; also called by tests. */
  check(): Promise<void> {
    return this.rounds.now();
  }

  private async bringUpToDate(): Promise<void> {
    const { pool, logger } = this.parts;
    const existing = new Set(await indexedVectors(pool));
    const needed = await this.needed();
    for (const { vectors, isMissedWithout } of needed) {
      if (existing.delete(vectors.index) || !isMissedWithout) continue;
      logger.info({ workspace: vectors.workspaceId }, 'vectors exceed the memory of search: their index is built');
      await createVectorIndex(pool, vectors);
    }
    for (const index of existing) await dropVectorIndex(pool, index);
  }

  /** The vectors that have or get an index, and whether they are too many to be without. */
  private async needed() {
    const { pool, residentMb } = this.parts;
    const budget = residentMb * MIB;
    const { rows } = await pool.query<{ workspaceId: string; chunks: number }>(SIZES);
    const needed = await Promise.all(
      rows.map(async ({ workspaceId, chunks }) =>
        (await vectorsOf(pool, workspaceId)).map((vectors) => ({
          vectors,
          bytes: residentBytes(chunks, vectors.dims),
        })),
      ),
    );
    return needed
      .flat()
      .filter(({ bytes }) => bytes > budget * DROP_BELOW)
      .map(({ vectors, bytes }) => ({ vectors, isMissedWithout: bytes > budget }));
  }
}
