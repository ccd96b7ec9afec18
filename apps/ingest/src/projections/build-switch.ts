import { setTimeout as delay } from 'node:timers/promises';
import { asAppError, plural, type ReadModelsReplacing } from '@cairn/contracts';
import type { Logger } from '@cairn/observability';
import { Projector, type ProjectionTarget, type Turn } from '@cairn/op-log';
import {
  buildOf,
  columnsOf,
  createIndexes,
  dropVersion,
  ensureSlot,
  goLive,
  homeOf,
  logOf,
  missingColumns,
  nextVersion,
  outdatedVersions,
  passErased,
  readSlot,
  recordLive,
  replaceable,
  standingOf,
  type Build,
  type Projection,
  type Replaceable,
  type Stores,
  type StreamName,
  type Streams,
} from '@cairn/projections';
import { installRanking } from '@cairn/ranking';
import { leaseNameOf, type WorkLease } from './work-lease.js';

export interface BuildSwitchOptions {
  readonly stores: Stores;
  /** Which replica of this build fills its versions and swaps them. */
  readonly lease: WorkLease;
  /** Whether this ingest is the only one: no other process writes while versions are swapped. */
  readonly isAlone: boolean;
  /** Counts the processes that could not use read models with these columns. */
  readonly objections: (replacing: ReadModelsReplacing) => Promise<number>;
  readonly logger: Logger;
}

type Filler = Pick<Projector<never>, 'start' | 'stop' | 'caughtUp' | 'reached'>;

interface Filling extends Replaceable {
  readonly filler: Filler;
}

const LOOK_MS = 1_000;
const PROGRESS_MS = 1_000;
const RETRY_MS = 1_000;
/** Between two attempts to swap under load. */
const SWAP_PAUSE_MS = 20;
/** How long writers of the live versions may be kept waiting by a swap. */
const SWAP_WAIT_MS = 1_000;
/** A replica that stops hands its lease over to another one of its build within this time. */
const HANDOVER_MS = 1_000;
const FREE_LOOK_MS = 100;
const DROP_EVERY_MS = 60_000;
const REPORT_EVERY_MS = 10_000;

/**
 * Keeps the read models of two builds of Cairn apart (ADR 0125). While the live versions belong to another build, this
 * one fills its own beside them and then swaps them in: at once if it has never been live, otherwise when no process of
 * the live build is left.
 */
export class BuildSwitch {
  readonly build: Build;
  private isLiveNow = false;
  private readonly listeners = new Set<() => void>();
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private nextDropMs = 0;
  private nextReportMs = 0;

  constructor(private readonly options: BuildSwitchOptions) {
    this.build = buildOf(options.stores);
  }

  /** Whether the live read models are those of this build. */
  get isLive(): boolean {
    return this.isLiveNow;
  }

  /** The turn of the replica that applies to the live versions: it holds the lease, and they belong to its build. */
  get turn(): Turn {
    const { lease } = this.options;
    const isOurs = (): boolean => this.isLiveNow && lease.isOurs;
    return {
      get isOurs() {
        return isOurs();
      },
      changed: (waitMs) => Promise.race([lease.changed(waitMs), this.changed(waitMs)]),
    };
  }

  /** Resolves when it is known whose versions are live. All of them must exist. */
  async start(): Promise<void> {
    await this.look();
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Resolves when this build goes live or is replaced, at the latest after this time. */
  changed(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.listeners.delete(done);
        resolve();
      };
      const timer = setTimeout(done, waitMs).unref();
      this.listeners.add(done);
    });
  }

  /**
   * Whether this process can serve while another build is live: that one applies ops, its tables have all columns of this
   * build, and no search is left that could not read the tables of this build, should it take over.
   */
  async canStandBy(): Promise<boolean> {
    const { pool, openSearch } = this.options.stores;
    const { liveId } = await standingOf(pool, this.build);
    if (liveId === undefined || liveId === this.build.id || (await this.isFree(liveId))) return false;
    const missing = await missingColumns(pool, { usesOpenSearch: openSearch !== undefined });
    const others = await replaceable(pool, this.build);
    return missing.length === 0 && !(await this.isObjectedTo(others, { isImminent: false }));
  }

  /**
   * A target of the live versions. A swap by another build fences it; it then only reports how far the others are, and
   * never writes what belongs to another build.
   */
  guarded<T>(own: ProjectionTarget<T>, projections: readonly Projection[]): ProjectionTarget<T> {
    return {
      name: own.name,
      ...(own.announce && { announce: (entries: readonly T[]) => own.announce!(entries) }),
      apply: (entries, expected, reached) => own.apply(entries, expected, reached),
      checkpoint: async () => {
        const slots = await Promise.all(projections.map(({ name }) => readSlot(this.options.stores.pool, name)));
        const isOwn = slots.every((slot, i) => slot?.layout === this.build.layouts.get(projections[i]!.name));
        if (isOwn) return own.checkpoint();
        this.set(false);
        // A projection that only this build has does not count yet.
        const reached = slots.flatMap((slot) => slot?.checkpoint.position ?? []);
        return { position: Math.min(...reached), epoch: 0 };
      },
    };
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private set(isLive: boolean): void {
    if (this.isLiveNow === isLive) return;
    this.isLiveNow = isLive;
    if (!isLive) this.options.logger.info('another version of Cairn has replaced the read models of this one');
    for (const done of [...this.listeners]) done();
  }

  private async look(): Promise<Replaceable[]> {
    const { pool } = this.options.stores;
    const others = await replaceable(pool, this.build);
    if (others.length === 0 && !this.isLiveNow) {
      // The functions use columns that may have been added with the tables of this build.
      await installRanking(pool);
      await recordLive(pool, this.build);
    }
    this.set(others.length === 0);
    return others;
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      try {
        const others = await this.look();
        if (others.length > 0 && this.options.lease.isOurs) await this.fillAndSwap(others);
        else if (this.turn.isOurs) await this.dropOutdated();
        await this.pause(others.length > 0 ? SWAP_PAUSE_MS : LOOK_MS);
      } catch (thrown) {
        const { code, message, cause } = asAppError(thrown);
        this.options.logger.warn({ code, err: cause ?? thrown }, `the read models of this version wait: ${message}`);
        await this.pause(RETRY_MS);
      }
    }
  }

  private async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }

  private async fillAndSwap(others: readonly Replaceable[]): Promise<void> {
    const names = others.map(({ projection }) => projection.name).join(', ');
    this.options.logger.info(`filling ${names} for this version of Cairn beside the live ones`);
    const fillings = await Promise.all(others.map((other) => this.open(other)));
    try {
      for (const { filler } of fillings) filler.start();
      await this.fill(fillings);
      for (const { projection, beside } of fillings)
        await createIndexes(this.options.stores.pool, homeOf(projection, this.options.stores).shape, beside);
      await this.swap(fillings);
    } finally {
      await Promise.all(fillings.map(({ filler }) => filler.stop()));
    }
  }

  private async open(other: Replaceable): Promise<Filling> {
    const { stores } = this.options;
    const { projection, live, beside } = other;
    const version = await nextVersion(stores.pool, projection.name);
    const slot = { name: beside, version, epoch: (live?.checkpoint.epoch ?? 0) + 1 };
    await ensureSlot(stores.pool, homeOf(projection, stores).shape, slot, { indexes: 'later' });
    return { ...other, filler: this.fillerOf(projection, beside) };
  }

  private fillerOf<S extends StreamName>(projection: Projection<S>, slot: string): Filler {
    const { stores, lease, logger } = this.options;
    const log = logOf(stores, projection.stream);
    const listener = {
      failed: (name: string, { code, message }: { code: string; message: string }) =>
        logger.warn({ code, projection: name }, `the version beside the live one is stalled: ${message}`),
    };
    return new Projector<Streams[S]>(
      homeOf(projection, stores).target(slot),
      (from) => log.read(from),
      listener,
      undefined,
      lease,
    );
  }

  private get isInterrupted(): boolean {
    return this.isStopping || !this.options.lease.isOurs;
  }

  private async fill(fillings: readonly Filling[]): Promise<void> {
    const { logger, stores } = this.options;
    for (const { projection, filler } of fillings) {
      const head = await logOf(stores, projection.stream).head();
      while (!this.isInterrupted && !(await filler.caughtUp(head, PROGRESS_MS)))
        logger.info(
          { projection: projection.name, position: filler.reached, head },
          `filling ${projection.name}: ${Math.max(0, filler.reached)} of ${plural(head, 'op')}`,
        );
    }
  }

  private async swap(fillings: readonly Filling[]): Promise<void> {
    const { stores, isAlone, logger } = this.options;
    const waitMs = isAlone ? 0 : SWAP_WAIT_MS;
    while (!this.isInterrupted) {
      await this.passErased(fillings);
      if (!(await this.mayTakeOver(fillings))) await this.pause(FREE_LOOK_MS);
      else if (await goLive(stores.pool, this.build, fillings, { waitMs })) {
        for (const { projection } of fillings) await this.swapped(projection);
        logger.info('the read models of this version of Cairn are live');
        return;
      } else await this.pause(SWAP_PAUSE_MS);
      if (!(await this.isSameLive(fillings))) return;
    }
  }

  private async swapped(projection: Projection): Promise<void> {
    const { stores } = this.options;
    const slot = await readSlot(stores.pool, projection.name);
    if (slot) await homeOf(projection, stores).outside?.swapped(slot);
  }

  /** False when a third build has gone live meanwhile, or something dropped a version that is being filled. */
  private async isSameLive(fillings: readonly Filling[]): Promise<boolean> {
    const { pool } = this.options.stores;
    const now = await Promise.all(
      fillings.map(async ({ projection, live, beside }) => {
        const [current, own] = [await readSlot(pool, projection.name), await readSlot(pool, beside)];
        return current?.layout === live?.layout && own !== undefined;
      }),
    );
    return now.every(Boolean);
  }

  /** The newest entries that the live version has applied may be erased: vectors are, with what they were made of. */
  private async passErased(fillings: readonly Filling[]): Promise<void> {
    const { stores } = this.options;
    for (const { projection, beside, filler } of fillings) {
      const head = await logOf(stores, projection.stream).head();
      const reached = (await readSlot(stores.pool, projection.name))?.checkpoint.position ?? 0;
      if (filler.reached >= head && filler.reached < reached)
        await passErased(stores.pool, beside, filler.reached, reached);
    }
  }

  private async mayTakeOver(fillings: readonly Filling[]): Promise<boolean> {
    if (!(await this.isNext())) return false;
    if (!(await this.isObjectedTo(fillings, { isImminent: true }))) return true;
    this.reportWaiting();
    return false;
  }

  private reportWaiting(): void {
    const now = performance.now();
    if (now < this.nextReportMs) return;
    this.nextReportMs = now + REPORT_EVERY_MS;
    this.options.logger.warn(
      'waiting for processes of another version of Cairn: they read columns that the read models of this one do not have',
    );
  }

  private async isObjectedTo(versions: readonly Replaceable[], { isImminent }: { isImminent: boolean }) {
    const columns = versions.flatMap(({ projection }) => columnsOf(projection));
    return (await this.options.objections({ columns, isImminent })) > 0;
  }

  /** A build that was replaced takes over when the live one has no process left. */
  private async isNext(): Promise<boolean> {
    const { liveId, isAhead } = await standingOf(this.options.stores.pool, this.build);
    if (isAhead || liveId === undefined || liveId === this.build.id) return true;
    const since = performance.now();
    while (!this.isInterrupted && (await this.isFree(liveId))) {
      if (performance.now() - since >= HANDOVER_MS) return true;
      await this.pause(FREE_LOOK_MS);
    }
    return false;
  }

  private isFree(buildId: string): Promise<boolean> {
    return this.options.lease.isFree(leaseNameOf(buildId));
  }

  /** Versions of builds that have not been used for a day: after that, a rollback fills its version again. */
  private async dropOutdated(): Promise<void> {
    const now = performance.now();
    if (now < this.nextDropMs) return;
    this.nextDropMs = now + DROP_EVERY_MS;
    const { stores, logger } = this.options;
    for (const { projection, slot } of await outdatedVersions(stores.pool)) {
      await dropVersion(projection, stores, slot);
      logger.info(`dropped ${slot}, which no version of Cairn has used for a day`);
    }
  }
}
