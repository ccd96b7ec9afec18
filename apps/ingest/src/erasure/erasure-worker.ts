import { asAppError } from '@cairn/contracts';
import type { Metrics } from '@cairn/observability';
import type { Turn } from '@cairn/op-log';
import { forgettingBacklog, type Backlog } from '@cairn/projections';
import { isPurgeDue } from './purge-schedule.js';
import { Purger, type PurgerOptions } from './purger.js';
import { Shredder, type ShredderOptions } from './shredder.js';

const POLL_MS = 1_000;
const RETRY_MS = 2_000;

export interface ErasureWorkerOptions extends PurgerOptions {
  readonly record: ShredderOptions['record'];
  readonly metrics: Metrics;
  readonly isBusy: () => boolean;
  /** While it is another replica's turn, that one erases. */
  readonly turn: Turn;
  /** Called before each step; a test ends the process here. */
  readonly onStep?: (store: string) => void;
}

/**
 * Completes each forgetting: destroys the keys, erases messages and rows (shredded), later rewrites the files below
 * them, checks every store, and signs the receipt (purged). Its work is recorded in the library, every step can be
 * repeated, and only the receipt ends it, so it can be killed at any point and continues after a restart.
 */
export class ErasureWorker {
  private readonly shredder: Shredder;
  private readonly purger: Purger;
  private running: Promise<void> | undefined;
  /** Runs next to the loop: it may take minutes, and later forgettings are still shredded meanwhile. */
  private purging: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  private wanted = false;
  private lastBusyMs = 0;
  private lastPurgeMs = 0;
  private lastFailedMs = 0;
  private wake: (() => void) | undefined;

  constructor(private readonly options: ErasureWorkerOptions) {
    this.shredder = new Shredder({ ...options, isStopping: () => this.isStopping });
    this.purger = new Purger(options, this.shredder);
  }

  start(): void {
    this.running ??= this.run();
  }

  /** A purge may take minutes, so it is aborted; the next process repeats it. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake?.();
    await this.running;
    await this.purging?.catch(() => undefined);
  }

  /** Something was forgotten, so this looks at once instead of at the next interval. */
  poke(): void {
    this.wake?.();
  }

  /** Purges as soon as everything is shredded. */
  purgeSoon(): void {
    this.wanted = true;
    this.wake?.();
  }

  /** Runs one round, and the whole purge if one is due; for tests. */
  async round(): Promise<void> {
    await this.look();
    await this.purging;
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      const ok = !this.options.turn.isOurs || (await this.look().catch((thrown: unknown) => this.failed(thrown)));
      if (!this.isStopping) await this.pause(ok ? POLL_MS : RETRY_MS);
    }
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private failed(thrown: unknown): false {
    const { code, message, cause } = asAppError(thrown);
    this.options.logger.warn({ code, err: cause ?? thrown }, `erasure is stalled: ${message}`);
    return false;
  }

  /** False if something failed. */
  private async look(): Promise<boolean> {
    const { pool, isBusy, clock } = this.options;
    if (isBusy()) this.lastBusyMs = clock.now();
    const ok = await this.shredder.round();
    const backlog = await forgettingBacklog(pool);
    this.report(backlog);
    if (backlog.unshredded + backlog.shredded === 0) this.wanted = false;
    if (!this.isStopping && !this.purging && this.isPurgeDue(backlog)) this.startPurge(backlog);
    return ok;
  }

  private isPurgeDue({ oldestShredded }: Backlog): boolean {
    const { lastBusyMs, lastPurgeMs, lastFailedMs, wanted } = this;
    const nowMs = this.options.clock.now();
    return isPurgeDue({ nowMs, oldestMs: oldestShredded?.getTime(), lastBusyMs, lastPurgeMs, lastFailedMs, wanted });
  }

  private startPurge(backlog: Backlog): void {
    const wasWanted = this.wanted;
    // A request that arrives during a purge causes another one afterwards.
    this.wanted = wasWanted && backlog.unshredded > 0;
    this.lastPurgeMs = this.options.clock.now();
    this.purging = this.purge(wasWanted).finally(() => (this.purging = undefined));
    // A caller that awaits it gets the error as well.
    this.purging.catch((thrown: unknown) => this.isStopping || this.failed(thrown));
  }

  private async purge(wasWanted: boolean): Promise<void> {
    const outcome = await this.purger.purge(this.stopping.signal).catch((thrown: unknown) => {
      this.purgeFailed(wasWanted);
      throw thrown;
    });
    if (outcome === 'incomplete') this.purgeFailed(wasWanted);
    if (outcome === 'elsewhere') this.wanted ||= wasWanted;
  }

  private purgeFailed(wasWanted: boolean): void {
    this.lastFailedMs = this.options.clock.now();
    this.wanted ||= wasWanted;
  }

  private report({ unshredded, oldestUnshredded, shredded, oldestShredded }: Backlog): void {
    const { metrics, clock } = this.options;
    const ageOf = (...dates: readonly (Date | null)[]): number => {
      const times = dates.flatMap((date) => (date ? [date.getTime()] : []));
      return times.length === 0 ? 0 : Math.max(0, (clock.now() - Math.min(...times)) / 1_000);
    };
    metrics.forgetPending.set({ stage: 'shred' }, unshredded);
    metrics.forgetPending.set({ stage: 'purge' }, unshredded + shredded);
    metrics.forgetStageAge.set({ stage: 'shred' }, ageOf(oldestUnshredded));
    metrics.forgetStageAge.set({ stage: 'purge' }, ageOf(oldestUnshredded, oldestShredded));
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.wake = undefined;
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.wake = done;
    });
  }
}
