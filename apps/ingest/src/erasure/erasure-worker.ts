import { asAppError, type EventData } from '@cairn/contracts';
import type { Clock } from '@cairn/kernel';
import type { Logger, Metrics } from '@cairn/observability';
import {
  ERASURE_STEPS,
  findLeftovers,
  markShredded,
  pendingForgettings,
  purgeOpenSearch,
  purgePostgres,
  type ErasureStores,
  type Forgetting,
  type PendingForgetting,
} from '@cairn/projections';
import type { InstanceSecrets } from '@cairn/vault';
import { isPurgeDue } from './purge-schedule.js';
import { signedReceipt } from './receipt.js';

const PENDING_MAX = 1_000;
const POLL_MS = 1_000;
const RETRY_MS = 2_000;
/** Of several processes one purges. */
const PURGE_LOCK = 0x5055524745;

export interface ErasureWorkerOptions extends ErasureStores {
  readonly secrets: InstanceSecrets;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Makes the receipt an op. The same receipt again changes nothing. */
  readonly issue: (receipt: EventData<'receipt.issued'>) => Promise<unknown>;
  readonly isBusy: () => boolean;
  /** Told before each step; a test ends the process here. */
  readonly onStep?: (store: string) => void;
}

/**
 * Carries out what forgetting has promised: destroys the keys, erases messages and rows (shredded), later writes the files
 * below them anew, looks into every store, and signs the receipt (purged). What it has to do stands in the library, every
 * step can be repeated, and only the receipt ends it: it can be killed at any point and goes on after a restart.
 */
export class ErasureWorker {
  private running: Promise<void> | undefined;
  private stopping = false;
  private wanted = false;
  private lastBusyMs = 0;
  private lastPurgeMs = 0;
  private wake: (() => void) | undefined;

  constructor(private readonly options: ErasureWorkerOptions) {}

  start(): void {
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.wake?.();
    await this.running;
  }

  /** Something was forgotten: does not wait for the next look. */
  poke(): void {
    this.wake?.();
  }

  /** Purges as soon as all is shredded. */
  purgeSoon(): void {
    this.wanted = true;
    this.wake?.();
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      const ok = await this.round().then(
        () => true,
        (thrown: unknown) => this.failed(thrown),
      );
      if (!this.stopping) await this.pause(ok ? POLL_MS : RETRY_MS);
    }
  }

  private failed(thrown: unknown): false {
    const { code, message, cause } = asAppError(thrown);
    this.options.logger.warn({ code, err: cause ?? thrown }, `erasing does not get on: ${message}`);
    return false;
  }

  /** One look at what there is to do; also called by tests. */
  async round(): Promise<void> {
    const { pool, isBusy, clock } = this.options;
    if (isBusy()) this.lastBusyMs = clock.now();
    const pending = await pendingForgettings(pool, PENDING_MAX);
    for (const forgetting of pending) if (!forgetting.shreddedAt && !this.stopping) await this.shred(forgetting);
    this.report(pending);
    const oldestMs = pending[0]?.forgottenAt.getTime();
    const { lastBusyMs, lastPurgeMs, wanted } = this;
    if (this.stopping || !isPurgeDue({ nowMs: clock.now(), oldestMs, lastBusyMs, lastPurgeMs, wanted })) return;
    this.lastPurgeMs = clock.now();
    if ((await this.purge(pending)) && pending.length < PENDING_MAX) this.wanted = false;
  }

  private async shred(forgetting: Forgetting): Promise<void> {
    for (const { store, run } of ERASURE_STEPS) {
      this.options.onStep?.(store);
      await run(this.options, forgetting);
    }
    await markShredded(this.options.pool, forgetting.receiptId);
  }

  /** False when another process does it. */
  private async purge(pending: readonly PendingForgetting[]): Promise<boolean> {
    const { pool, openSearch, logger } = this.options;
    const holder = await pool.connect();
    try {
      const { rows } = await holder.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [PURGE_LOCK]);
      if (!rows[0]!.mine) return false;
      const started = performance.now();
      // What came late: a vector that was on its way, a message of a step that was cut short.
      for (const forgetting of pending) await this.shred(forgetting);
      this.options.onStep?.('purge');
      await purgePostgres(pool);
      if (openSearch) await purgeOpenSearch(openSearch);
      for (const forgetting of pending) await this.prove(forgetting);
      logger.info(
        { forgettings: pending.length, seconds: (performance.now() - started) / 1_000 },
        'purged what was forgotten',
      );
      return true;
    } finally {
      await holder.query('select pg_advisory_unlock($1)', [PURGE_LOCK]).catch(() => undefined);
      holder.release();
    }
  }

  private async prove(forgetting: Forgetting): Promise<void> {
    const { secrets, clock, issue, logger } = this.options;
    const findings = await findLeftovers(this.options, forgetting);
    const left = findings.filter((finding) => finding.left > 0);
    if (left.length > 0) {
      logger.error({ receiptId: forgetting.receiptId, left }, 'something is left of what was forgotten; trying again');
      return;
    }
    this.options.onStep?.('receipt');
    await issue(signedReceipt(secrets, forgetting, findings, new Date(clock.now()).toISOString()));
  }

  private report(pending: readonly PendingForgetting[]): void {
    const { metrics, clock } = this.options;
    // They have been shredded meanwhile, unless this process is being stopped.
    const [first] = pending;
    const open = pending.filter(({ shreddedAt }) => !shreddedAt);
    const ageOf = (forgetting: PendingForgetting | undefined): number =>
      forgetting ? Math.max(0, (clock.now() - forgetting.forgottenAt.getTime()) / 1_000) : 0;
    metrics.forgetPending.set({ stage: 'shred' }, this.stopping ? open.length : 0);
    metrics.forgetPending.set({ stage: 'purge' }, pending.length);
    metrics.forgetStageAge.set({ stage: 'shred' }, this.stopping ? ageOf(open[0]) : 0);
    metrics.forgetStageAge.set({ stage: 'purge' }, ageOf(first));
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
