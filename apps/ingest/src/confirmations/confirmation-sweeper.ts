import type { Clock } from '@cairn/kernel';
import type { Logger } from '@cairn/observability';
import type { Turn } from '@cairn/op-log';
import type { Vault } from '@cairn/vault';
import type { Pool } from 'pg';
import { EndedKeys } from '../keys/ended-keys.js';
import { Rounds } from '../rounds.js';

const SWEEP_PAUSE_MS = 30_000;
const BATCH = 200;

export interface SweeperParts {
  readonly pool: Pool;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly turn: Turn;
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
  private readonly endedKeys: readonly EndedKeys[];
  private readonly rounds = new Rounds({
    round: () => this.sweepAll(),
    onFailure: ({ code, message, cause }) =>
      this.parts.logger.warn(
        { code, err: cause },
        `confirmations could not be swept, the next round tries again: ${message}`,
      ),
    pauseMs: SWEEP_PAUSE_MS,
    isWanted: () => this.parts.turn.isOurs,
  });

  constructor(private readonly parts: SweeperParts) {
    const { pool, vault } = parts;
    this.endedKeys = [RESOLVED, REMOVED_SERVERS, DISCONNECTED_ACCOUNTS].map(
      (owners) => new EndedKeys(pool, vault, owners),
    );
  }

  start(): void {
    this.rounds.start();
  }

  stop(): Promise<void> {
    return this.rounds.stop();
  }

  /** Sweeps now; also called by tests. */
  sweep(): Promise<void> {
    return this.rounds.now();
  }

  private async sweepAll(): Promise<void> {
    await this.expire();
    for (const keys of this.endedKeys) await keys.destroyAll();
  }

  private async expire(): Promise<void> {
    const { pool, clock, expire } = this.parts;
    const { rows } = await pool.query<Row>(EXPIRED, [new Date(clock.now()), BATCH]);
    for (const { workspaceId, id } of rows) await expire(workspaceId, id);
  }
}
