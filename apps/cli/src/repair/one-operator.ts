import { plural } from '@cairn/contracts';
import type { Pool } from 'pg';
import { RefusedError } from '../exit.js';

const REPAIR_LOCK = 0x5245_50;

interface Others {
  readonly mine: boolean;
  readonly ingests: number;
}

/**
 * Runs the work as the only one: no other repair, and no ingest. An ingest that starts meanwhile ends by itself, because
 * the log is behind its database.
 */
export const asOnlyOperator = async <T>(pool: Pool, work: () => Promise<T>): Promise<T> => {
  const holder = await pool.connect();
  try {
    const { rows } = await holder.query<Others>(
      `select pg_try_advisory_lock($1) as mine, (select count(*)::int from pg_stat_activity
         where datname = current_database() and application_name = 'cairn-ingest') as ingests`,
      [REPAIR_LOCK],
    );
    const { mine, ingests } = rows[0]!;
    if (!mine) throw new RefusedError('another repair of this installation is running; wait until it has ended');
    if (ingests > 0)
      throw new RefusedError(
        `ingest is running, with ${plural(ingests, 'connection')} to the database; stop every ingest first`,
      );
    return await work();
  } finally {
    await holder.query('select pg_advisory_unlock($1)', [REPAIR_LOCK]).catch(() => undefined);
    holder.release();
  }
};
