import { asAppError, fail, isNewerEvent, OPLOG_STREAM, plural } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import type { Logger, Metrics } from '@cairn/observability';
import { Projector, type StoredOp } from '@cairn/op-log';
import {
  commitsWithLibrary,
  ensureSlot,
  homeOf,
  logOf,
  memberOf,
  PostgresTarget,
  PROJECTIONS,
  readSlot,
  type Projection,
  type Stores,
  type StreamName,
  type Streams,
} from '@cairn/projections';
import { installRanking } from '@cairn/ranking';
import { opLogProblem } from '../stores/op-log-store.js';
import type { BuildSwitch } from './build-switch.js';
import { yieldingTarget } from './yielding-target.js';

export interface ProjectionRunnerOptions extends Stores {
  /** How long a change waits for an awaited projection outside Postgres before it is answered without it. */
  readonly keywordIndexWaitMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Tells whose read models are live, and whether this replica applies ops; the others follow how far it is. */
  readonly builds: BuildSwitch;
  /** Called when this replica has applied ops. */
  readonly onApplied?: (projection: string, position: number) => void;
}

type Follower = Pick<Projector<never>, 'name' | 'start' | 'stop' | 'caughtUp' | 'observe' | 'reread' | 'failure'>;

/** The first read model that an ingest creates. */
const LIBRARY = 'library';
const FIRST_EPOCH = 1;
const PROGRESS_EVERY_MS = 1_000;
/** A replica that has been stalled for this long lets another one try: it may reach the database, or read a newer op. */
const STALLED_MS_MAX = 5_000;

/** Runs every projector of this process: the one that answers wait for, and the followers. */
export class ProjectionRunner {
  /** The projections that commit in one transaction with the library. */
  private library!: Projector<StoredOp>;
  private readonly followers = new Map<Projection, Follower>();
  /** Runs after everything else. */
  private mending: Promise<unknown> | undefined;
  private readonly stopping = new AbortController();
  private lastReportMs = 0;
  private catchUpTo = 0;
  private isBusy: () => boolean = () => false;
  private stalledSinceMs: number | undefined;

  constructor(private readonly options: ProjectionRunnerOptions) {}

  async start(): Promise<void> {
    const { pool, log, builds } = this.options;
    await this.refuseOlderLog();
    if (!(await readSlot(pool, LIBRARY))) for (const projection of PROJECTIONS) await this.create(projection);
    await builds.start();
    const members = PROJECTIONS.filter(isOfOps).filter((projection) => commitsWithLibrary(projection, this.options));
    const target = new PostgresTarget(
      pool,
      members.map((projection) => memberOf(projection, this.options)),
    );
    this.library = new Projector(
      builds.guarded(target, members),
      (from) => log.read(from),
      this.listener(),
      undefined,
      builds.turn,
    );
    for (const projection of PROJECTIONS)
      if (!commitsWithLibrary(projection, this.options)) this.followers.set(projection, this.followerOf(projection));
    await this.untilReadable();
    await this.catchUp();
    for (const follower of this.followers.values()) follower.start();
    this.mending = Promise.all([...this.followers].map((entry) => this.mend(...entry)));
  }

  /** Followers that yield to commands wait while this is true. */
  yieldWhile(isBusy: () => boolean): void {
    this.isBusy = isBusy;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.isBusy = () => false;
    await Promise.all([this.library, ...this.followers.values()].map((projector) => projector?.stop()));
    await this.options.builds.stop();
    await this.mending;
  }

  applied(position: number, timeoutMs: number): Promise<boolean> {
    return this.library.caughtUp(position, timeoutMs);
  }

  /**
   * Like `applied`, for awaited projections outside Postgres. Any replica may have written there: one that is fenced
   * off reads the checkpoint again and decides whether to wait further.
   */
  async indexed(position: number): Promise<boolean> {
    const awaited = [...this.followers].filter(([{ isAwaited }]) => isAwaited);
    const reached = awaited.map(([, follower]) => follower.caughtUp(position, this.options.keywordIndexWaitMs));
    return (await Promise.all(reached)).every(Boolean);
  }

  /** Has a follower start again at its checkpoint, which something else has changed. */
  reread(name: string): void {
    for (const [projection, follower] of this.followers) if (projection.name === name) follower.reread();
  }

  /** Another replica has applied everything up to this position. */
  observe(projection: string, position: number): void {
    for (const projector of [this.library, ...this.followers.values()])
      if (projector?.name === projection) projector.observe(position);
  }

  /** Whether this replica can apply ops, or has not been unable to for long. */
  get isFit(): boolean {
    const now = performance.now();
    this.stalledSinceMs = this.failure && (this.stalledSinceMs ?? now);
    return this.stalledSinceMs === undefined || now - this.stalledSinceMs < STALLED_MS_MAX;
  }

  get isCaughtUp(): boolean {
    return this.library?.reached >= this.catchUpTo;
  }

  /** Why the projection that answers wait for is stalled, if it is. */
  get failure(): AppError | undefined {
    return this.library?.failure;
  }

  /** Why a projection waits at an op of a newer version of Cairn, if one does. */
  get held(): string | undefined {
    const failures = [this.library, ...this.followers.values()].map((projector) => projector?.failure);
    return failures.find((failure) => isNewerEvent(failure))?.message;
  }

  /** After a crash, or with an empty database, the log is replayed before the first command is accepted. */
  private async catchUp(): Promise<void> {
    const { log, logger } = this.options;
    this.catchUpTo = await log.head();
    const started = performance.now();
    this.library.start();
    await this.library.caughtUp(0, PROGRESS_EVERY_MS * 10);
    const behind = this.catchUpTo - this.library.reached;
    if (behind <= 0) return;
    logger.info(
      { from: this.library.reached, to: this.catchUpTo },
      `catching up with the op-log: ${plural(behind, 'op')} to apply`,
    );
    while (!(await this.library.caughtUp(this.catchUpTo, PROGRESS_EVERY_MS))) {
      const done = this.library.reached;
      logger.info(
        { position: done, head: this.catchUpTo },
        `catching up: ${done} of ${this.catchUpTo} (${Math.floor((100 * done) / this.catchUpTo)} %)`,
      );
    }
    const seconds = (performance.now() - started) / 1_000;
    logger.info({ ops: behind, seconds }, `caught up: ${plural(behind, 'op')} in ${seconds.toFixed(1)} s`);
  }

  /** Resolves when this build can serve from the live read models: they are its own, or those of another build. */
  private async untilReadable(): Promise<void> {
    const { builds } = this.options;
    while (!builds.isLive && !(await builds.canStandBy())) await builds.changed(PROGRESS_EVERY_MS);
    // Searches of this build may call a function that the live one does not have.
    if (!builds.isLive) await installRanking(this.options.pool);
  }

  private async refuseOlderLog(): Promise<void> {
    const problem = await opLogProblem(this.options);
    if (problem !== undefined) throw fail('oplog.unsuitable_server', problem);
  }

  /** In an empty database. Later, read models with another layout, and further ones, are filled beside the live ones. */
  private async create(projection: Projection): Promise<void> {
    const { name, version } = projection;
    if (await readSlot(this.options.pool, name)) return;
    const { shape } = homeOf(projection, this.options);
    await ensureSlot(this.options.pool, shape, { name, version, epoch: FIRST_EPOCH });
  }

  private followerOf<S extends StreamName>(projection: Projection<S>): Follower {
    const { name, stream, liveBatchMax, yieldsToCommands = false } = projection;
    const own = this.options.builds.guarded(homeOf(projection, this.options).target(name), [projection]);
    const target = yieldsToCommands ? yieldingTarget(own, () => this.isBusy()) : own;
    const log = logOf(this.options, stream);
    return new Projector<Streams[S]>(
      target,
      (from) => log.read(from),
      this.listener(),
      liveBatchMax,
      this.options.builds.turn,
    );
  }

  private async isReadyToMend(follower: Follower): Promise<boolean> {
    const { turn } = this.options.builds;
    if (turn.isOurs) return follower.caughtUp(0, PROGRESS_EVERY_MS);
    await turn.changed(PROGRESS_EVERY_MS);
    return false;
  }

  /** Waits until it is this replica's turn and the engine answers. */
  private async mend(projection: Projection, follower: Follower): Promise<void> {
    const { outside } = homeOf(projection, this.options);
    const { logger } = this.options;
    const { signal } = this.stopping;
    if (!outside) return;
    while (!signal.aborted && !(await this.isReadyToMend(follower)));
    if (signal.aborted) return;
    try {
      const mended = await outside.mend(signal);
      if (mended !== undefined) logger.info(mended);
    } catch (thrown) {
      const { message, cause } = asAppError(thrown);
      if (!signal.aborted) logger.warn({ err: cause }, message);
    }
  }

  private listener() {
    const { logger, metrics } = this.options;
    return {
      applied: (name: string, position: number): void => {
        for (const projection of name.split('+')) {
          metrics.projectionCheckpoint.set({ projection }, position);
          metrics.projectionLastSuccess.set({ projection }, Date.now() / 1_000);
        }
        this.options.onApplied?.(name, position);
      },
      recovered: (name: string): void => {
        for (const projection of name.split('+')) metrics.projectionHeld.set({ projection }, 0);
      },
      failed: (name: string, error: AppError): void => {
        for (const projection of name.split('+'))
          metrics.projectionHeld.set({ projection }, isNewerEvent(error) ? 1 : 0);
        const now = performance.now();
        if (now - this.lastReportMs < PROGRESS_EVERY_MS) return;
        this.lastReportMs = now;
        const level = error.kind === 'defect' ? 'error' : 'warn';
        logger[level](
          { projection: name, code: error.code, err: error.cause },
          `projection ${name} is stalled: ${error.message}`,
        );
      },
    };
  }
}

const isOfOps = (projection: Projection): projection is Projection<typeof OPLOG_STREAM> =>
  projection.stream === OPLOG_STREAM;
