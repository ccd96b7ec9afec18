import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { newPassword } from './new-password.js';
import type { NativePostgres } from './native-postgres.js';

/** The roles that `deploy/postgres/roles.sql` creates. */
export const POSTGRES_ROLES = ['cairn_ingest', 'cairn_search'] as const;
export type PostgresRole = (typeof POSTGRES_ROLES)[number];

export interface PostgresLogins {
  /** The variables of a process that connects with this role. */
  envOf(role: PostgresRole): { readonly DATABASE_URL: string; readonly DATABASE_PASSWORD_FILE: string };
}

const ROLES_SQL = fileURLToPath(new URL('../../../deploy/postgres/roles.sql', import.meta.url));

/** Creates the roles as an operator does, with new passwords in files that only this user of the machine may read. */
export const createPostgresRoles = async (
  { url, binDir }: NativePostgres,
  secretsDir: string,
): Promise<PostgresLogins> => {
  const [ingest, search] = [newPassword(), newPassword()];
  const env = { CAIRN_INGEST_PASSWORD: ingest, CAIRN_SEARCH_PASSWORD: search };
  await promisify(execFile)(join(binDir, 'psql'), ['-q', '-d', url, '-f', ROLES_SQL], { env });
  mkdirSync(secretsDir, { recursive: true, mode: 0o700 });
  const passwords = { cairn_ingest: ingest, cairn_search: search };
  const fileOf = (role: PostgresRole): string => join(secretsDir, `postgres-${role}`);
  for (const role of POSTGRES_ROLES) writeFileSync(fileOf(role), `${passwords[role]}\n`, { mode: 0o600 });
  return {
    envOf: (role) => ({
      DATABASE_URL: url.replace('postgres://postgres@', `postgres://${role}@`),
      DATABASE_PASSWORD_FILE: fileOf(role),
    }),
  };
};
