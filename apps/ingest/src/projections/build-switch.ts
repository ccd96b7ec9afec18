import { setTimeout as delay } from 'node:timers/promises';
import { asAppError, type ReadModelsReplacing } from '@cairn/contracts';
import type { Logger } from '@cairn/observability';
import type { Checkpoint, ProjectionTarget, Turn } from '@cairn/op-log';
import {
  buildOf,
  columnsOf,
  dropVersion,
  missingColumns,
  outdatedVersions,
  readSlots,
  recordLive,
  replaceable,
  standingOf,
  type Build,
  type Projection,
  type Replaceable,
  type Slot,
  type Stores,
} from '@cairn/projections';
import { installRanking } from '@cairn/ranking';
import { FilledVersions } from './filled-versions.js';
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

const LOOK_MS = 1_000;
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

  /** Why no command can be carried out, if so: no process applies ops to the read models of another build. */
  get problem(): string | undefined {
    return this.options.isAlone && !this.isLiveNow ? 'this version of Cairn is filling its read models' : undefined;
  }

  /**
   * Whether this process can serve while another build is live: the tables of that one have all columns of this build,
   * and it applies ops to them. The only ingest serves reads from them all the same.
   */
  async canStandBy(): Promise<boolean> {
    const { stores, isAlone } = this.options;
    const others = await replaceable(stores.pool, this.build);
    const missing = await missingColumns(stores.pool, { usesOpenSearch: stores.openSearch !== undefined });
    if (missing.length > 0 || others.some(({ live }) => live === undefined)) return false;
    return isAlone || ((await this.isLiveElsewhere()) && !(await this.isObjectedTo(others, { isImminent: false })));
  }

  private async isLiveElsewhere(): Promise<boolean> {
    const { liveId } = await standingOf(this.options.stores.pool, this.build);
    return liveId !== undefined && liveId !== this.build.id && !(await this.isFree(liveId));
  }

  /**
   * A target of the live versions. A swap by another build fences it; it then only reports how far the others are, and
   * never writes what belongs to another build.
   */
  guarded<T>(own: ProjectionTarget<T>, projections: readonly Projection[]): ProjectionTarget<T> {
    const { pool } = this.options.stores;
    const names = projections.map(({ name }) => name);
    return {
      name: own.name,
      ...(own.announce && { announce: (entries: readonly T[]) => own.announce!(entries) }),
      apply: (entries, expected, reached) => own.apply(entries, expected, reached),
      checkpoint: async () => {
        const slots = await readSlots(pool, names);
        if (!this.areOwn(names, slots)) return this.reachedByOthers(slots);
        const checkpoint = await own.checkpoint();
        // A swap in between would have made it the checkpoint of another build; one after this is fenced by the epoch.
        const now = await readSlots(pool, names);
        return this.areOwn(names, now) ? checkpoint : this.reachedByOthers(now);
      },
    };
  }

  private areOwn(names: readonly string[], slots: ReadonlyMap<string, Slot>): boolean {
    return names.every((name) => slots.get(name)?.layout === this.build.layouts.get(name));
  }

  /** A projection that only this build has does not count yet. */
  private reachedByOthers(slots: ReadonlyMap<string, Slot>): Checkpoint {
    this.set(false);
    const reached = [...slots.values()].map(({ checkpoint }) => checkpoint.position);
    return { position: reached.length === 0 ? 0 : Math.min(...reached), epoch: 0 };
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
    const { liveId } = await standingOf(pool, this.build);
    // A build that differs only by further read models leaves this one nothing to replace.
    const isLive = others.length === 0 && (liveId === undefined || liveId === this.build.id);
    if (isLive && !this.isLiveNow) {
      // The functions use columns that may have been added with the tables of this build.
      await installRanking(pool);
      if (liveId === undefined) await recordLive(pool, this.build);
    }
    this.set(isLive);
    return others;
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      try {
        const others = await this.look();
        if (!this.isLiveNow && this.options.lease.isOurs) await this.fillAndSwap(others);
        else {
          if (this.turn.isOurs) await this.dropOutdated();
          // No other process can replace the read models of the only ingest.
          await this.pause(this.options.isAlone && this.isLiveNow ? DROP_EVERY_MS : LOOK_MS);
        }
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
    const { stores, lease, logger } = this.options;
    const names = others.map(({ projection }) => projection.name).join(', ');
    if (names !== '') logger.info(`filling ${names} for this version of Cairn beside the live ones`);
    const versions = await FilledVersions.open({ stores, turn: lease, logger }, others);
    try {
      if (await versions.fill(() => this.isInterrupted)) await this.swap(versions);
    } finally {
      await versions.stop();
    }
  }

  private get isInterrupted(): boolean {
    return this.isStopping || !this.options.lease.isOurs;
  }

  private async swap(versions: FilledVersions): Promise<void> {
    const waitMs = this.options.isAlone ? 0 : SWAP_WAIT_MS;
    while (!this.isInterrupted && (await versions.areWanted())) {
      if (!(await this.mayTakeOver(versions.replaced))) await this.pause(FREE_LOOK_MS);
      else if (await versions.goLive(this.build, waitMs)) {
        this.options.logger.info('the read models of this version of Cairn are live');
        return;
      } else await this.pause(SWAP_PAUSE_MS);
    }
  }

  private async mayTakeOver(replaced: readonly Replaceable[]): Promise<boolean> {
    if (!(await this.isNext())) return false;
    if (!(await this.isObjectedTo(replaced, { isImminent: true }))) return true;
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
