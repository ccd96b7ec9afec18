import { fail } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import { errors } from '@nats-io/transport-node';
import type { NatsAccess } from './nats-access.js';
import { natsServers } from './nats-servers.js';

export interface ConnectProblem {
  /** One sentence for the operator: what is wrong, and which variable to change. */
  readonly error: AppError;
  /** True if waiting does not help: the broker answered, and this process is not configured for it. */
  readonly isFinal: boolean;
}

/** What OpenSSL reports about a certificate that it does not trust. */
const UNTRUSTED = /^(UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|CERT_|INVALID_CA)/;
const WRONG_HOST = 'ERR_TLS_CERT_ALTNAME_INVALID';
const NO_TLS = "server does not support 'tls'";

const credentialsOf = ({ url, login }: NatsAccess): string => {
  if (login?.kind === 'password') return `user ${login.user} with the password in NATS_PASSWORD_FILE`;
  if (login?.kind === 'nkey') return 'the nkey in NATS_NKEY_FILE';
  if (login?.kind === 'creds') return 'the credentials in NATS_CREDS_FILE';
  return natsServers(url).user === undefined ? 'a connection without credentials' : 'the user or password of NATS_URL';
};

const refused = (access: NatsAccess): string => {
  const isAnonymous = access.login === undefined && natsServers(access.url).user === undefined;
  return `refuses ${credentialsOf(access)}; ${isAnonymous ? 'set NATS_USER and NATS_PASSWORD_FILE, NATS_NKEY_FILE or NATS_CREDS_FILE' : 'check that the broker has this user'}`;
};

const finalProblem = (access: NatsAccess, thrown: unknown): string | undefined => {
  const { code = '', message } = thrown as { readonly code?: string; readonly message: string };
  if (thrown instanceof errors.AuthorizationError) return refused(access);
  if (code === WRONG_HOST)
    return 'has a certificate for another host; use a name in NATS_URL that the certificate lists';
  if (UNTRUSTED.test(code))
    return `has a certificate that ${access.tls?.caFile === undefined ? 'Node does not trust' : 'NATS_CA_FILE did not sign'} (${code}); set NATS_CA_FILE to the certificate of its authority`;
  if (message === NO_TLS)
    return 'does not offer TLS; switch it on there, or remove tls:// from NATS_URL and unset NATS_CA_FILE and NATS_CERT_FILE';
  return undefined;
};

const outOfReach = ({ tls, url }: NatsAccess): string => {
  const isTls = tls !== undefined || url.includes('tls://');
  // A broker that requires a client certificate ends the connection of a client without one, and gives no reason.
  const hint = isTls && tls?.certFile === undefined ? '; if it requires a client certificate, set NATS_CERT_FILE' : '';
  return `is out of reach (NATS_URL)${hint}`;
};

const at = (access: NatsAccess): string => `NATS at ${natsServers(access.url).servers.join(', ')}`;

export const foreignUser = (access: NatsAccess, user: string): AppError =>
  fail(
    'oplog.unavailable',
    `${at(access)} does not give ${credentialsOf(access)} the rights of ${user}; each service needs its own user`,
  );

/** A service that cannot receive its requests would seem to run. */
export const deafService = (access: NatsAccess, service: string, subject: string): AppError =>
  fail(
    'oplog.unavailable',
    `${at(access)} does not let ${service} receive ${subject}; give the broker the current deploy/nats/permissions.conf, and ${service} its own user`,
  );

export const connectProblem = (access: NatsAccess, thrown: unknown): ConnectProblem => {
  const found = finalProblem(access, thrown);
  const message = `${at(access)} ${found ?? outOfReach(access)}`;
  return { error: fail('oplog.unavailable', message, {}, thrown), isFinal: found !== undefined };
};
