import { setTimeout as delay } from 'node:timers/promises';
import { asAppError, type KeysView } from '@cairn/contracts';
import type { Clock } from '@cairn/kernel';
import type { Logger, Metrics } from '@cairn/observability';
import { keepSecretsCopy, PROJECTIONS, rewrapRows, type RewrapCounts } from '@cairn/projections';
import type { KeyEntry, KeyRecord, Vault } from '@cairn/vault';
import type { Pool } from 'pg';

const RETRY_MS = 2_000;
/** By then, a record that another process held is free. */
const LOOK_AGAIN_MS = 100;
/**
 * Other processes may still write under a previous KEK, so everything is checked again, using at most a tenth of the
 * time.
 */
const AGAIN_MS_MIN = 60_000;
const AGAIN_FACTOR = 10;
/** Only one of several processes rotates at a time. */
const ROTATION_LOCK = 0x4b454b;

export interface RotationWorkerOptions {
  readonly vault: Vault;
  readonly pool: Pool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Called when a check of everything has found no key under a previous KEK. */
  readonly onDone?: (() => void) | undefined;
  /** Called before each record of the key store and before the rows; a test ends the process here. */
  readonly onStep?: (store: string) => void;
}

/**
 * Rewraps every data key under the current KEK, in the key store and beside the rows, so the previous ones can be
 * destroyed (ADR 0027). It keeps no state: it checks everything, and is done when it finds nothing to do. It can
 * therefore be killed at any point and continues after a restart.
 */
export class RotationWorker {
  private running: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  private rotation: KeysView['rotation'];
  private checkedAt: string | null = null;

  constructor(private readonly options: RotationWorkerOptions) {
    this.rotation = options.vault.isRotating ? 'running' : 'none';
  }

  start(): void {
    const { vault, logger } = this.options;
    if (!vault.isRotating) return;
    this.report('running');
    logger.info({ kekId: vault.kekId }, 'previous KEKs are given: keys are rewrapped under the current one');
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  view(): KeysView {
    return { kekId: this.options.vault.kekId, rotation: this.rotation, checkedAt: this.checkedAt };
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      const started = performance.now();
      const hasLooked = await this.pass().catch((thrown: unknown) => this.failed(thrown));
      const again = Math.max(AGAIN_MS_MIN, AGAIN_FACTOR * (performance.now() - started));
      await delay(hasLooked ? again : RETRY_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  private failed(thrown: unknown): false {
    if (this.isStopping) return false;
    const { code, message, cause } = asAppError(thrown);
    this.options.logger.warn({ code, err: cause ?? thrown }, `rewrapping keys is stalled: ${message}`);
    return false;
  }

  /**
   * Checks everything until one check finds nothing to do; also called by tests. False if another process is doing it.
   */
  async pass(): Promise<boolean> {
    const holder = await this.options.pool.connect();
    try {
      const { rows } = await holder.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
        ROTATION_LOCK,
      ]);
      if (!rows[0]!.mine) return false;
      let counts = await this.look();
      while (counts.outdated > 0 && !this.isStopping) {
        await delay(LOOK_AGAIN_MS);
        counts = await this.look();
      }
      if (!this.isStopping) this.conclude(counts);
      return true;
    } finally {
      await holder.query('select pg_advisory_unlock($1)', [ROTATION_LOCK]).catch(() => undefined);
      holder.release();
    }
  }

  /** The key store comes first, because the copies beside the rows are made from it. */
  private async look(): Promise<RewrapCounts> {
    const { vault, pool, metrics, onStep } = this.options;
    const counts: RewrapCounts = { outdated: 0, unreadable: 0 };
    await this.rewrapStore(counts);
    metrics.keysRewrapped.inc({ store: 'KEYS' }, counts.outdated);
    // A replica that still wraps with a previous KEK may have written it at its start.
    await keepSecretsCopy(pool, vault);
    for (const projection of PROJECTIONS.filter(({ wrappedKeys }) => wrappedKeys !== 'nothing')) {
      const { name } = projection;
      onStep?.(name);
      const before = counts.outdated;
      await rewrapRows(projection, { pool, vault, counts, isStopping: () => this.isStopping });
      metrics.keysRewrapped.inc({ store: name }, counts.outdated - before);
    }
    if (counts.outdated + counts.unreadable > 0) this.report('running');
    return counts;
  }

  private async rewrapStore(counts: RewrapCounts): Promise<void> {
    const { vault, onStep } = this.options;
    for await (const entry of vault.entries()) {
      if (this.isStopping) return;
      onStep?.('KEYS');
      const record = this.rewrapped(entry, counts);
      if (!record) continue;
      counts.outdated++;
      await vault.replace(entry, record);
    }
  }

  private rewrapped(entry: KeyEntry, counts: RewrapCounts): KeyRecord | undefined {
    try {
      return this.options.vault.rewrapEntry(entry);
    } catch {
      counts.unreadable++;
      return undefined;
    }
  }

  /** Keys that no given KEK opens may belong to one that was omitted by mistake, so no KEK is given up then. */
  private conclude({ unreadable }: RewrapCounts): void {
    const { vault, clock, logger, onDone } = this.options;
    const { kekId } = vault;
    if (unreadable > 0) {
      logger.error({ kekId, unreadable }, 'keys open with none of the given KEKs; the previous ones must stay');
      return;
    }
    this.checkedAt = new Date(clock.now()).toISOString();
    if (this.rotation === 'done') return;
    logger.info({ kekId }, 'every key is under the current KEK; the previous ones are needed no more');
    onDone?.();
    this.report('done');
  }

  private report(rotation: 'running' | 'done'): void {
    this.rotation = rotation;
    this.options.metrics.keysRotationPending.set(rotation === 'done' ? 0 : 1);
  }
}
