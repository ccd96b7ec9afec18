import { createHash } from 'node:crypto';
import type { Pool } from 'pg';

export interface TableHash {
  readonly table: string;
  readonly rows: number;
  readonly hash: string;
}

/** Copied from KEYS and not from the log: a rotation of the KEK changes the bytes of a wrapped key, but not the key (ADR 0027). */
const NOT_FROM_THE_LOG = 'wrapped_key';

const columnsOf = async (pool: Pool, schema: string, table: string): Promise<string> => {
  const { rows } = await pool.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> $2`,
    [`${schema}.${table}`, NOT_FROM_THE_LOG],
  );
  return rows[0]!.columns;
};

/**
 * A hash of the content of a table, independent of the order of its rows: the sum of the hashes of the rows. Two builds
 * of a projection are equal when all their tables are.
 */
export const hashTables = async (pool: Pool, schema: string, tables: readonly string[]): Promise<TableHash[]> => {
  const hashes: TableHash[] = [];
  for (const table of tables) {
    const columns = await columnsOf(pool, schema, table);
    const { rows } = await pool.query<{ n: string; a: string | null; b: string | null }>(`
      select count(*) as n,
        sum(('x' || substr(h, 1, 15))::bit(60)::bigint::numeric) as a,
        sum(('x' || substr(h, 16, 15))::bit(60)::bigint::numeric) as b
      from (select md5(t::text) as h from (select ${columns} from ${schema}.${table}) t) hashed`);
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

export interface TableComparison {
  readonly table: string;
  readonly live: string;
  readonly next: string;
  readonly rows: number;
}

export const compareTables = async (
  pool: Pool,
  tables: readonly string[],
  live: string,
  next: string,
): Promise<TableComparison[]> => {
  const [ours, theirs] = [await hashTables(pool, live, tables), await hashTables(pool, next, tables)];
  return ours.map(({ table, hash, rows }, i) => ({ table, live: hash, next: theirs[i]!.hash, rows }));
};
