import { asAppError } from '@cairn/contracts';
import type { Clock } from '@cairn/kernel';
import type { Logger } from '@cairn/observability';
import { readSlot, setCheckpoint } from '@cairn/projections';
import type { Vault } from '@cairn/vault';
import type { Pool } from 'pg';

const SWEEP_INTERVAL_MS = 30_000;
const BATCH = 200;
/** The row of `cairn.projections` with the position up to which keys are destroyed: a start continues there. */
const CHECKPOINT = 'confirmation-keys';

export interface SweeperParts {
  readonly pool: Pool;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Records in the log that a confirmation has expired; it changes nothing for one that is resolved already. */
  readonly expire: (workspaceId: string, confirmationId: string) => Promise<unknown>;
}

interface Row {
  readonly id: string;
  readonly workspaceId: string;
  readonly position: string;
}

const EXPIRED = `select id, workspace_id as "workspaceId", position from library.confirmations
  where resolved_position is null and least(expires_at, restorable_until) <= $1 order by position limit $2`;
const RESOLVED = `select id, workspace_id as "workspaceId", resolved_position as position from library.confirmations
  where resolved_position > $1 order by resolved_position limit $2`;

/**
 * Ends confirmations that were not decided in time, or were discarded and not restored in time, and destroys the keys of
 * those that are over. A decision destroys its key at once; this makes up for a process that died in between.
 */
export class ConfirmationSweeper {
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;
  /** Up to here in the log, no resolved confirmation has a key any more; not known before the first look. */
  private doneUpTo: number | undefined;

  constructor(private readonly parts: SweeperParts) {}

  start(): void {
    this.timer = setInterval(() => void this.sweep(), SWEEP_INTERVAL_MS).unref();
    void this.sweep();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.sweeping;
  }

  /** One at a time; also called by the timer. */
  sweep(): Promise<void> {
    this.sweeping ??= this.sweepOnce().finally(() => (this.sweeping = undefined));
    return this.sweeping;
  }

  private async sweepOnce(): Promise<void> {
    const { logger } = this.parts;
    try {
      await this.expire();
      await this.destroyKeys();
    } catch (thrown) {
      const { code, message, cause } = asAppError(thrown);
      logger.warn({ code, err: cause }, `confirmations could not be swept, the next round tries again: ${message}`);
    }
  }

  private async expire(): Promise<void> {
    const { pool, clock, expire } = this.parts;
    const { rows } = await pool.query<Row>(EXPIRED, [new Date(clock.now()), BATCH]);
    for (const { workspaceId, id } of rows) await expire(workspaceId, id);
  }

  private async destroyKeys(): Promise<void> {
    const { pool, vault } = this.parts;
    this.doneUpTo ??= (await readSlot(pool, CHECKPOINT))?.checkpoint.position ?? 0;
    for (;;) {
      const { rows }: { rows: Row[] } = await pool.query<Row>(RESOLVED, [this.doneUpTo, BATCH]);
      if (rows.length === 0) return;
      for (const { workspaceId, id } of rows) await vault.destroy(workspaceId, id);
      this.doneUpTo = Number(rows.at(-1)!.position);
      await setCheckpoint(pool, CHECKPOINT, this.doneUpTo);
    }
  }
}
