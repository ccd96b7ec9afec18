import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';

/**
 * Names for repeated statements, so that each is parsed and planned once per connection. A name belongs to one connection
 * and is never used by another, because embedded connections share one backend.
 */
export class StatementNames {
  private static readonly ofClient = new WeakMap<PoolClient, StatementNames>();
  private readonly names = new Map<string, string>();
  private readonly prefix = randomUUID();

  static of(client: PoolClient): StatementNames {
    const known = this.ofClient.get(client) ?? new StatementNames();
    this.ofClient.set(client, known);
    return known;
  }

  nameOf(sql: string): string {
    const name = this.names.get(sql) ?? `${this.prefix}-${this.names.size}`;
    this.names.set(sql, name);
    return name;
  }
}

/**
 * Runs a statement on a connection of the pool; it is parsed and planned only the first time. For a small number of texts
 * whose plan does not depend on the values, since one plan serves all of them.
 */
export const queryNamed = async <R extends QueryResultRow>(
  pool: Pool,
  text: string,
  values: readonly unknown[],
): Promise<QueryResult<R>> => {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    return await client.query<R>({ name: StatementNames.of(client).nameOf(text), text, values: values as unknown[] });
  } catch (thrown) {
    broken = thrown as Error;
    throw thrown;
  } finally {
    // As in the pool itself, a connection on which a statement failed is not used again.
    client.release(broken);
  }
};
