import type { Pool, QueryResultRow } from 'pg';
import { databaseError } from './database-error.js';
import { queryNamed } from './named-statements.js';

const isConnectionLoss = (thrown: unknown): boolean => (thrown as { code?: string }).code === undefined;

/**
 * One read. A connection that died with a restarted server is only noticed when it is used, so a read on such a connection
 * is retried once on another.
 */
const rowsOf = async <R>(read: () => Promise<{ readonly rows: R[] }>): Promise<R[]> => {
  const readAgain = (thrown: unknown): Promise<{ readonly rows: R[] }> => {
    if (!isConnectionLoss(thrown)) throw thrown;
    return read();
  };
  try {
    return (await read().catch(readAgain)).rows;
  } catch (thrown) {
    throw databaseError(thrown);
  }
};

export const readRows = <R extends QueryResultRow>(pool: Pool, sql: string, values: readonly unknown[]): Promise<R[]> =>
  rowsOf(() => pool.query<R>(sql, values as unknown[]));

/** For the statements of every search, which call functions that keep their own plans: only the call is prepared. */
export const readPrepared = <R extends QueryResultRow>(
  pool: Pool,
  sql: string,
  values: readonly unknown[],
): Promise<R[]> => rowsOf(() => queryNamed<R>(pool, sql, values));
