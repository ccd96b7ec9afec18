import { asAppError } from '@cairn/contracts';
import type { Clock } from '@cairn/kernel';
import type { Logger } from '@cairn/observability';
import type { Vault } from '@cairn/vault';
import type { Pool } from 'pg';
import { EndedKeys } from '../keys/ended-keys.js';

const SWEEP_INTERVAL_MS = 30_000;
const BATCH = 200;

export interface SweeperParts {
  readonly pool: Pool;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Records in the log that a confirmation has expired; has no effect on one that is already resolved. */
  readonly expire: (workspaceId: string, confirmationId: string) => Promise<unknown>;
}

interface Row {
  readonly id: string;
  readonly workspaceId: string;
  readonly position: string;
}

const EXPIRED = `select id, workspace_id as "workspaceId", position from library.confirmations
  where resolved_position is null and least(expires_at, restorable_until) <= $1 order by position limit $2`;
const RESOLVED = {
  checkpoint: 'confirmation-keys',
  sql: `select id, workspace_id as "workspaceId", resolved_position as position from library.confirmations
    where resolved_position > $1 order by resolved_position limit $2`,
};
const REMOVED_SERVERS = {
  checkpoint: 'server-keys',
  sql: `select id, workspace_id as "workspaceId", removed_position as position from library.external_mcp_servers
    where removed_position > $1 order by removed_position limit $2`,
};
const DISCONNECTED_ACCOUNTS = {
  checkpoint: 'account-keys',
  sql: `select id, workspace_id as "workspaceId", disconnected_position as position from library.accounts
    where disconnected_position > $1 order by disconnected_position limit $2`,
};

/**
 * Ends confirmations that were not decided in time, or were discarded and not restored in time. Destroys the keys of
 * ended confirmations, removed external servers and disconnected accounts.
 */
export class ConfirmationSweeper {
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;
  private readonly endedKeys: readonly EndedKeys[];

  constructor(private readonly parts: SweeperParts) {
    const { pool, vault } = parts;
    this.endedKeys = [RESOLVED, REMOVED_SERVERS, DISCONNECTED_ACCOUNTS].map(
      (owners) => new EndedKeys(pool, vault, owners),
    );
  }

  start(): void {
    this.timer = setInterval(() => void this.sweep(), SWEEP_INTERVAL_MS).unref();
    void this.sweep();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.sweeping;
  }

  /** Runs one sweep at a time; also called by the timer. */
  sweep(): Promise<void> {
    this.sweeping ??= this.sweepOnce().finally(() => (this.sweeping = undefined));
    return this.sweeping;
  }

  private async sweepOnce(): Promise<void> {
    const { logger } = this.parts;
    try {
      await this.expire();
      for (const keys of this.endedKeys) await keys.destroyAll();
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
}
