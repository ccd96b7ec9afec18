import { fail } from '@cairn/contracts';
import type { Pool } from 'pg';
import { LEGS_SQL } from './legs.sql.js';

/**
 * Installs the ranking functions, all or none: several statements in one message are one transaction. Run after
 * the extensions and the tables of this build are there, and before the first search. A function whose parameters or
 * columns change gets a new name, because processes of the old build still call it during a roll-out.
 */
export const installLegs = async (pool: Pool): Promise<void> => {
  // The cast loads pgvector, so that its settings are known when a function names them.
  const prepare = ["select '[1]'::vector;", 'create schema if not exists retrieval;'];
  try {
    await pool.query([...prepare, ...Object.values(LEGS_SQL)].join('\n'));
  } catch (thrown) {
    throw fail('projection.unavailable', 'the ranking functions could not be installed', {}, thrown);
  }
};
