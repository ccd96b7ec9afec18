import { fail } from '@cairn/contracts';
import type { Pool } from 'pg';

interface Rights {
  readonly role: string;
  readonly isSuperuser: boolean;
  readonly createsSchemas: boolean;
  /** In the schema public, where the record of migrations is. */
  readonly createsTables: boolean;
  /** May end a segment of the write-ahead log and have it removed, as a purge of forgotten content does. */
  readonly endsWal: boolean;
  /** The first table of Cairn that the role may change, if any. */
  readonly writable: string | null;
  /** The first table of Cairn that the role may not read, if any. */
  readonly unreadable: string | null;
  /** The first schema of Cairn that belongs to another role, if any. */
  readonly foreign: string | null;
}

/** The schemas beside those of the read models: checkpoints, and the functions that searches call. */
const SHARED_SCHEMAS = ['cairn', 'retrieval'];
/** Schemas of extensions and of Postgres itself are not Cairn's, and neither are those of other programs. */
const OURS = 'n.nspname = any ($1)';

const RIGHTS = `
  with ours as (
    select c.oid, n.oid as schema, format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where ${OURS} and c.relkind in ('r', 'p')
  )
  select current_user::text as role, r.rolsuper as "isSuperuser",
    has_database_privilege(current_database(), 'create') as "createsSchemas",
    has_schema_privilege('public', 'create') as "createsTables",
    has_function_privilege('pg_switch_wal()', 'execute') and (r.rolsuper
      or exists (select from pg_roles p where p.rolname = 'pg_checkpoint' and pg_has_role(p.oid, 'usage'))) as "endsWal",
    (select min(name) from ours where has_table_privilege(oid, 'insert, update, delete, truncate')) as writable,
    (select min(name) from ours
      where not has_schema_privilege(schema, 'usage') or not has_table_privilege(oid, 'select')) as unreadable,
    (select min(n.nspname) from pg_namespace n where ${OURS} and not pg_has_role(n.nspowner, 'usage')) as foreign
  from pg_roles r where r.rolname = current_user`;

const rightsOf = async (pool: Pool, readModels: readonly string[]): Promise<Rights> =>
  (await pool.query<Rights>(RIGHTS, [[...SHARED_SCHEMAS, ...readModels]])).rows[0]!;

const refuse = (role: string, reason: string) =>
  fail('projection.unsuitable_role', `Postgres role ${role} ${reason}; deploy/postgres/roles.sql creates the roles`);

/** Search must not be able to change the read models, whatever a bug or an injected statement tries. */
export const assertReader = async (pool: Pool, readModels: readonly string[]): Promise<void> => {
  const { role, isSuperuser, createsSchemas, createsTables, writable, unreadable } = await rightsOf(pool, readModels);
  if (isSuperuser) throw refuse(role, 'is a superuser, and search needs one that can only read');
  if (writable !== null) throw refuse(role, `may write ${writable}, and search needs one that can only read`);
  if (createsSchemas || createsTables)
    throw refuse(role, 'may create schemas or tables, and search needs one that can only read');
  if (unreadable !== null) throw refuse(role, `may not read ${unreadable}, which search needs`);
};

/** Ingest creates the read models, and so does the command line when it rebuilds one. */
export const assertOwner = async (pool: Pool, readModels: readonly string[]): Promise<void> => {
  const { role, createsSchemas, createsTables, endsWal, foreign } = await rightsOf(pool, readModels);
  if (!createsSchemas) throw refuse(role, 'may not create schemas in this database, which ingest needs');
  if (!createsTables) throw refuse(role, 'may not create tables in the schema public, which ingest needs');
  if (!endsWal)
    throw refuse(
      role,
      'may not run checkpoint and pg_switch_wal(), without which forgotten content stays in the log of Postgres',
    );
  if (foreign !== null) throw refuse(role, `does not own schema ${foreign}, which ingest needs`);
};
