import { createHash } from 'node:crypto';
import type { Pool } from 'pg';

export interface TableHash {
  readonly table: string;
  readonly rows: number;
  readonly hash: string;
}

/**
 * A hash of what a table holds, whatever the order of its rows: the sum of the rows' own hashes. Two builds of one
 * projection are equal when all their tables are.
 */
export const hashTables = async (pool: Pool, schema: string, tables: readonly string[]): Promise<TableHash[]> => {
  const hashes: TableHash[] = [];
  for (const table of tables) {
    const { rows } = await pool.query<{ n: string; a: string | null; b: string | null }>(`
      select count(*) as n,
        sum(('x' || substr(h, 1, 15))::bit(60)::bigint::numeric) as a,
        sum(('x' || substr(h, 16, 15))::bit(60)::bigint::numeric) as b
      from (select md5(t::text) as h from ${schema}.${table} t) hashed`);
    const { n, a, b } = rows[0]!;
    hashes.push({
      table,
      rows: Number(n),
      hash: createHash('sha256')
        .update(`${n}|${a ?? 0}|${b ?? 0}`)
        .digest('hex'),
    });
  }
  return hashes;
};
