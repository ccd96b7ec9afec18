import { asAppError } from '@cairn/contracts';
import type { NatsConnection } from '@cairn/messaging';
import type { Logger, Metrics } from '@cairn/observability';
import type { Inspection } from '@cairn/projections';
import { Rounds } from '../rounds.js';

/** A loss is to be reported within a minute, even if a look takes long. */
const LOOK_PAUSE_MS = 10_000;

export type StoreName = 'lexical' | 'OPLOG' | 'VECTORS' | 'FORGOTTEN';

/** A store outside Postgres that can be lost or set back while its checkpoint in Postgres stays. */
export interface WatchedStore {
  readonly name: StoreName;
  inspect(): Promise<Inspection>;
  /** Starts to restore it. Absent if only an operator can. Several processes may call it at the same time. */
  readonly heal?: () => Promise<void>;
}

export interface StoreWatchOptions {
  readonly nats: NatsConnection;
  readonly stores: readonly WatchedStore[];
  /** Raises the replicas of streams, and returns the streams that still have too few. */
  readonly raiseReplicas: () => Promise<readonly string[]>;
  readonly replicas: number;
  readonly lookPauseMs?: number | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Compares the stores outside Postgres with their checkpoints while Cairn runs, reports what is lost and has it restored. */
export class StoreWatch {
  private readonly problems = new Map<StoreName, string>();
  private underReplicated: readonly string[] = [];
  private readonly rounds: Rounds;

  constructor(private readonly options: StoreWatchOptions) {
    const { logger, lookPauseMs = LOOK_PAUSE_MS } = options;
    this.rounds = new Rounds({
      round: () => this.lookAtAll(),
      onFailure: ({ message }) => logger.debug(`the replicas of streams could not be checked: ${message}`),
      pauseMs: lookPauseMs,
    });
  }

  start(): void {
    this.rounds.start();
    void this.lookAfterReconnects();
  }

  stop(): Promise<void> {
    return this.rounds.stop();
  }

  /** Looks now; also called by tests. */
  look(): Promise<void> {
    return this.rounds.now();
  }

  /** Why no change may be appended to the log, and what to do, if so. */
  get logProblem(): string | undefined {
    return this.problems.get('OPLOG');
  }

  /** What is wrong with the other streams. */
  get streamProblems(): string[] {
    const lost = (['VECTORS', 'FORGOTTEN'] as const).flatMap((name) => this.problems.get(name) ?? []);
    if (this.underReplicated.length === 0) return lost;
    const streams = this.underReplicated.join(', ');
    return [...lost, `fewer than ${this.options.replicas} replicas (NATS_REPLICAS), for want of brokers: ${streams}`];
  }

  private async lookAtAll(): Promise<void> {
    for (const store of this.options.stores) await this.lookAt(store);
    this.underReplicated = await this.options.raiseReplicas();
    this.options.metrics.streamsUnderReplicated.set(this.underReplicated.length);
  }

  /** A store that does not answer is unavailable, which says nothing about whether it is intact. */
  private async lookAt(store: WatchedStore): Promise<void> {
    const { logger } = this.options;
    try {
      const { isLost, problem } = await store.inspect();
      this.report(store, problem);
      // Without the log, an operator repairs the whole broker, and then nothing has to be made again.
      if (isLost && this.logProblem === undefined) await store.heal?.();
    } catch (thrown) {
      const { code, message, cause } = asAppError(thrown);
      logger.debug({ store: store.name, code, err: cause }, `${store.name} could not be checked: ${message}`);
    }
  }

  private report({ name }: WatchedStore, problem: string | undefined): void {
    const { logger, metrics } = this.options;
    metrics.storeIntact.set({ store: name }, problem === undefined ? 1 : 0);
    const before = this.problems.get(name);
    if (problem === undefined) {
      this.problems.delete(name);
      if (before !== undefined) logger.info({ store: name }, `${name} is intact again`);
      return;
    }
    this.problems.set(name, problem);
    if (before === undefined) logger[name === 'OPLOG' ? 'error' : 'warn']({ store: name }, problem);
  }

  /** A broker that comes back may have other data than the one that was lost. */
  private async lookAfterReconnects(): Promise<void> {
    for await (const { type } of this.options.nats.status()) if (type === 'reconnect') await this.look();
  }
}
