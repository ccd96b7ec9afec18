import {
  embedConsumer,
  flipped,
  OPLOG_STREAM,
  previousDropped,
  type NextVectors,
  type VectorModels,
} from '@cairn/contracts';
import type { Clock } from '@cairn/kernel';
import type { NatsConnection } from '@cairn/messaging';
import type { Logger } from '@cairn/observability';
import { embeddingProgress, type Turn, type VectorLog, type VectorModelStore } from '@cairn/op-log';
import { readSlot } from '@cairn/projections';
import { jetstreamManager } from '@nats-io/jetstream';
import type { Pool } from 'pg';
import { Rounds } from '../rounds.js';
import { compareVectors } from './compare-vectors.js';

const LOOK_PAUSE_MS = 2_000;
/** At most this part of the time is spent looking: whether a text is left may take a second in a large library. */
const LOOK_SHARE = 1 / 20;
/** By then, no search uses the vectors: each learns within some seconds which ones are live. */
const DROP_AFTER_MS = 10_000;
/** The embedded database serves no other client during a statement. */
const ROWS_AT_ONCE = 200;

export interface VectorKeeperOptions {
  readonly nats: NatsConnection;
  readonly pool: Pool;
  readonly store: VectorModelStore;
  readonly vectors: VectorLog;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly turn: Turn;
}

/** A chunk that has neither a vector of this id nor a refusal of its present text. */
const IS_MISSING = `
select exists (
  select from library.chunks c
  where not exists (
      select from vectors.embeddings e where e.chunk_id = c.id and e.text_hash = c.text_hash and e.model = $1)
    and not exists (
      select from vectors.failures f where f.chunk_id = c.id and f.text_hash = c.text_hash and f.model = $1)
) as missing`;

const removeRows = (table: 'embeddings' | 'failures'): string => `
delete from vectors.${table}
  where (chunk_id, model) in (select chunk_id, model from vectors.${table} where model = $1 limit ${ROWS_AT_ONCE})`;

/**
 * Makes the next vectors the live ones when they are complete, and removes vectors that are no longer kept. It keeps no
 * state of its own, so it can be killed at any point, and several processes may run it.
 */
export class VectorKeeper {
  private readonly rounds = new Rounds({
    round: (signal) => this.keep(signal),
    onFailure: (error) =>
      this.options.logger.warn(
        { code: error.code, err: error.cause ?? error },
        `keeping the vectors is stalled: ${error.message}`,
      ),
    pauseMs: LOOK_PAUSE_MS,
    shareMax: LOOK_SHARE,
    isWanted: () => this.options.turn.isOurs,
  });
  /** When each id was first seen among those to be removed. */
  private readonly droppedSince = new Map<string, number>();

  constructor(private readonly options: VectorKeeperOptions) {}

  start(): void {
    this.rounds.start();
  }

  stop(): Promise<void> {
    return this.rounds.stop();
  }

  /** Does what is to be done now; also called by tests. */
  look(): Promise<void> {
    return this.rounds.now();
  }

  private async keep(signal: AbortSignal): Promise<void> {
    const models = await this.options.store.get();
    if (!models) return;
    if (models.next) await this.lookAtNext(models, models.next);
    const { previous } = models;
    if (previous && Date.parse(previous.keptUntil) <= this.options.clock.now())
      await this.options.store.update((now) =>
        now?.previous?.keptUntil === previous.keptUntil ? previousDropped(now) : now,
      );
    for (const id of models.dropped) if (this.isDue(id)) await this.drop(id, signal);
  }

  private isDue(id: string): boolean {
    const now = this.options.clock.now();
    const since = this.droppedSince.get(id) ?? now;
    this.droppedSince.set(id, since);
    return now - since >= DROP_AFTER_MS;
  }

  private async lookAtNext({ live }: VectorModels, next: NextVectors): Promise<void> {
    if ((next.hold && next.parity) || !(await this.isComplete(next.id))) return;
    const { store, logger, pool, clock } = this.options;
    const parity = await compareVectors(pool, live.id, next.id);
    const after = await store.update((now) => {
      if (now?.next?.id !== next.id || now.live.id !== live.id) return now;
      const reported = { ...now, next: { ...now.next, parity } };
      return now.next.hold ? reported : flipped(reported, clock.now());
    });
    if (after?.live.id === next.id)
      logger.info({ from: live.id, to: next.id, parity }, `searches now use the vectors of ${next.id}`);
    else
      logger.info({ parity }, `the vectors of ${next.id} are complete; \`cairn vectors flip\` makes searches use them`);
  }

  /** The embedder has nothing left to do, everything it made is in the table, and no text is without. */
  private async isComplete(id: string): Promise<boolean> {
    const { nats, pool, vectors } = this.options;
    const progress = await embeddingProgress(nats, id);
    if (!progress || progress.done < progress.total) return false;
    const [slot, head] = [await readSlot(pool, 'vectors'), await vectors.head()];
    if (!slot || slot.checkpoint.position < head) return false;
    const { rows } = await pool.query<{ missing: boolean }>(IS_MISSING, [id]);
    return !rows[0]!.missing;
  }

  /** The embedder has stopped to make them by now, or does so at any moment; what is left then is removed next time. */
  private async drop(id: string, signal: AbortSignal): Promise<void> {
    const { nats, pool, vectors, store, logger } = this.options;
    const manager = await jetstreamManager(nats, { checkAPI: false });
    await manager.consumers.delete(OPLOG_STREAM, embedConsumer(id)).catch(() => undefined);
    await vectors.eraseModel(id, signal);
    for (const table of ['embeddings', 'failures'] as const) {
      while (!signal.aborted && ((await pool.query(removeRows(table), [id])).rowCount ?? 0) > 0);
    }
    if (signal.aborted) return;
    await store.update((now) => now && { ...now, dropped: now.dropped.filter((other) => other !== id) });
    this.droppedSince.delete(id);
    logger.info({ id }, `the vectors of ${id} were removed`);
  }
}
