import { databaseError } from '@cairn/persistence';
import type { Pool, QueryResultRow } from 'pg';

const isConnectionLoss = (thrown: unknown): boolean => (thrown as { code?: string }).code === undefined;

/**
 * One read. A connection that died with a restarted server is only noticed when it is used, so a read that met one is
 * tried once more on another.
 */
export const readRows = async <R extends QueryResultRow>(
  pool: Pool,
  sql: string,
  values: readonly unknown[],
): Promise<R[]> => {
  const read = async (): Promise<R[]> => (await pool.query<R>(sql, values as unknown[])).rows;
  const readAgain = (thrown: unknown): Promise<R[]> => {
    if (!isConnectionLoss(thrown)) throw thrown;
    return read();
  };
  try {
    return await read().catch(readAgain);
  } catch (thrown) {
    throw databaseError(thrown);
  }
};
