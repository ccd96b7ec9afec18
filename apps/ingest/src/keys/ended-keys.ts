import { readSlot, setCheckpoint } from '@cairn/projections';
import type { Vault } from '@cairn/vault';
import type { Pool } from 'pg';

const BATCH = 200;

export interface EndedRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly position: string;
}

export interface EndedOwners {
  /** The row of `cairn.projections` with the position up to which keys are destroyed: a start continues there. */
  readonly checkpoint: string;
  /** Selects `id`, `"workspaceId"` and `position` of at most $2 owners that ended after position $1, in that order. */
  readonly sql: string;
}

/**
 * Destroys the keys of owners that have ended. The command that ends an owner destroys its key at once; this makes up
 * for a process that died in between.
 */
export class EndedKeys {
  /** Up to this position in the log, no ended owner has a key any more; unknown before the first sweep. */
  private doneUpTo: number | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly vault: Pick<Vault, 'destroy'>,
    private readonly owners: EndedOwners,
  ) {}

  async destroyAll(): Promise<void> {
    const { checkpoint, sql } = this.owners;
    this.doneUpTo ??= (await readSlot(this.pool, checkpoint))?.checkpoint.position ?? 0;
    for (;;) {
      const { rows }: { rows: EndedRow[] } = await this.pool.query<EndedRow>(sql, [this.doneUpTo, BATCH]);
      if (rows.length === 0) return;
      for (const { workspaceId, id } of rows) await this.vault.destroy(workspaceId, id);
      this.doneUpTo = Number(rows.at(-1)!.position);
      await setCheckpoint(this.pool, checkpoint, this.doneUpTo);
    }
  }
}
