import { fail } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import type { PostgresAccess } from './postgres-access.js';

const UNTRUSTED = /^(UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|CERT_|INVALID_CA)/;

const passwordOf = ({ passwordFile }: PostgresAccess): string =>
  passwordFile === undefined ? 'DATABASE_URL' : 'DATABASE_PASSWORD_FILE';

const untrusted = ({ tls }: PostgresAccess, code: string): string =>
  `has a certificate that ${tls?.caFile === undefined ? 'Node does not trust' : 'DATABASE_CA_FILE did not sign'} (${code}); set DATABASE_CA_FILE to the certificate of its authority`;

/** The end of the sentence "Postgres at <host> …". */
const reasonOf = (access: PostgresAccess, { code = '', message = '' }: { code?: string; message?: string }): string => {
  const role = decodeURIComponent(new URL(access.url).username);
  if (code === '28P01') return `refuses the password of role ${role}; check ${passwordOf(access)}`;
  if (code === '28000') return `refuses role ${role}; check that it exists, may log in, and is admitted by pg_hba.conf`;
  if (code === '3D000') return 'has no such database; create it, or correct its name in DATABASE_URL';
  if (code === '42501') return `does not let role ${role} connect; grant it CONNECT on the database`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'has a certificate for another host; use a name in DATABASE_URL that the certificate lists';
  if (UNTRUSTED.test(code)) return untrusted(access, code);
  if (message.includes('does not support SSL'))
    return 'does not offer TLS; switch it on there, or unset DATABASE_CA_FILE and DATABASE_CERT_FILE';
  return 'is out of reach (DATABASE_URL)';
};

/** One sentence for the operator: what is wrong, and what to change. */
export const postgresProblem = (access: PostgresAccess, thrown: unknown): AppError => {
  const reason = reasonOf(access, thrown as { code?: string; message?: string });
  return fail('projection.unavailable', `Postgres at ${new URL(access.url).host} ${reason}`, {}, thrown);
};
