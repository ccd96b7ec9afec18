import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';

/** The file of a table or an index: its number, then for parts of it the name of a fork and the number of a segment. */
const RELATION_FILE = /^(\d+)(?:_[a-z]+)?(?:\.\d+)?$/;

const FILES_IN_USE = `
select d.oid::text as database, array(
  select pg_relation_filenode(c.oid)::text from pg_class c where pg_relation_filenode(c.oid) is not null
) as nodes
from pg_database d where d.datname = current_database()`;

/**
 * When a kill interrupts the rewriting of a table, Postgres leaves the new file behind forever. It would still hold rows
 * after they were forgotten, and no later purge touches it. Called before any client is served, when no table is being
 * rewritten.
 */
export const removeLeftovers = async (db: PGlite, dataDir: string): Promise<void> => {
  const { rows } = await db.query<{ database: string; nodes: string[] }>(FILES_IN_USE);
  const { database, nodes } = rows[0]!;
  const [directory, inUse] = [join(dataDir, 'base', database), new Set(nodes)];
  for (const name of readdirSync(directory)) {
    const node = RELATION_FILE.exec(name)?.[1];
    if (node !== undefined && !inUse.has(node)) rmSync(join(directory, name), { force: true });
  }
};
