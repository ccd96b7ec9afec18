import { fail } from '@cairn/contracts';
import type { Pool, PoolClient } from 'pg';
import { RANKING_SQL } from './ranking.sql.js';

/**
 * Installs the ranking functions, all or none: several statements in one message are one transaction. Must run after the
 * extensions and the tables of this build exist, and before the first search. A function whose parameters or columns
 * change gets a new name, because processes of the old build still call it during a roll-out.
 */
export const installRanking = async (pool: Pool | PoolClient): Promise<void> => {
  // The cast loads pgvector, which makes its settings known before a function names them.
  const prepare = ["select '[1]'::vector;", 'create schema if not exists retrieval;'];
  try {
    await pool.query([...prepare, ...Object.values(RANKING_SQL)].join('\n'));
  } catch (thrown) {
    throw fail('projection.unavailable', 'the ranking functions could not be installed', {}, thrown);
  }
};
