import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';

/**
 * Names for statements that come again and again, so that each is parsed and planned once per connection. Names are of
 * one connection and never of another: embedded, all connections share one backend.
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
 * One statement on a connection of the pool, parsed and planned only the first time. For texts that are few and whose
 * plan does not depend on the values: a kept plan is made for all of them.
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
    // As the pool itself does: a connection on which something failed is not used again.
    client.release(broken);
  }
};
