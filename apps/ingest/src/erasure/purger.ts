import { asAppError, type EventData } from '@cairn/contracts';
import type { Clock } from '@cairn/kernel';
import type { Logger } from '@cairn/observability';
import { findLeftovers, purgeProjections, shreddedForgettings, type Forgetting, type Stores } from '@cairn/projections';
import type { InstanceSecrets } from '@cairn/vault';
import { signedReceipt } from './receipt.js';
import type { Shredder } from './shredder.js';

/** Only one of several processes purges. */
const PURGE_LOCK = 0x5055524745;
const FORGETTINGS_MAX = 10_000;

export interface PurgerOptions extends Stores {
  readonly secrets: InstanceSecrets;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Appends the receipt to the log. A repeat changes nothing. */
  readonly issue: (receipt: EventData<'receipt.issued'>) => Promise<unknown>;
  readonly onStep?: ((store: string) => void) | undefined;
}

/** `elsewhere`: another process is purging. `incomplete`: some forgettings have no receipt yet. */
export type PurgeOutcome = 'done' | 'incomplete' | 'elsewhere';

/** Removes shredded content from the disk, checks every store, and signs the receipts. */
export class Purger {
  constructor(
    private readonly options: PurgerOptions,
    private readonly shredder: Shredder,
  ) {}

  /** `signal` aborts the purge; the next one starts from the beginning. */
  async purge(signal: AbortSignal): Promise<PurgeOutcome> {
    const holder = await this.options.pool.connect();
    try {
      const { rows } = await holder.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [PURGE_LOCK]);
      if (!rows[0]!.mine) return 'elsewhere';
      try {
        return await this.purgeAll(signal);
      } finally {
        await holder.query('select pg_advisory_unlock($1)', [PURGE_LOCK]).catch(() => undefined);
      }
    } finally {
      holder.release();
    }
  }

  private async purgeAll(signal: AbortSignal): Promise<PurgeOutcome> {
    const { pool, logger } = this.options;
    const started = performance.now();
    const waiting = await shreddedForgettings(pool, FORGETTINGS_MAX);
    // For late arrivals: a vector that was in progress, or the open batch of a rebuild.
    const gone = await this.shredder.repeat(waiting);
    if (gone.length === 0) return waiting.length === 0 ? 'done' : 'incomplete';
    this.options.onStep?.('purge');
    await purgeProjections(this.options, signal);
    let proven = 0;
    for (const forgetting of gone) if (await this.prove(forgetting)) proven++;
    logger.info({ forgettings: proven, seconds: (performance.now() - started) / 1_000 }, 'purged what was forgotten');
    return proven === waiting.length ? 'done' : 'incomplete';
  }

  /** False if no receipt can be issued for it now; the others get theirs. */
  private async prove(forgetting: Forgetting): Promise<boolean> {
    const { secrets, clock, issue, logger, onStep } = this.options;
    const { receiptId } = forgetting;
    onStep?.('receipt');
    try {
      const findings = await findLeftovers(this.options, forgetting);
      const left = findings.filter((finding) => finding.left > 0);
      if (left.length === 0) {
        await issue(signedReceipt(secrets, forgetting, findings, new Date(clock.now()).toISOString()));
        return true;
      }
      logger.error({ receiptId, left }, 'something is left of what was forgotten; trying again');
    } catch (thrown) {
      const { code, message, cause } = asAppError(thrown);
      logger.warn({ receiptId, code, err: cause ?? thrown }, `a receipt cannot be issued now: ${message}`);
    }
    return false;
  }
}
