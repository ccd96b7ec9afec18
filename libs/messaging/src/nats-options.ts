import { inboxOf } from '@cairn/contracts';
import { readSecret } from '@cairn/credentials';
import {
  credsAuthenticator,
  nkeyAuthenticator,
  usernamePasswordAuthenticator,
  type Authenticator,
  type ConnectionOptions,
} from '@nats-io/transport-node';
import type { NatsAccess, NatsLogin } from './nats-access.js';
import { natsServers } from './nats-servers.js';

/** Once connected, reconnection attempts never end: a supervisor or the cluster restarts the broker. */
export const RECONNECT_WAIT_MS = 250;

const encoder = new TextEncoder();

/** Reads the file at every connection: after a rotation, a reconnect uses the new credential without a restart. */
const authenticatorOf = (login: NatsLogin): Authenticator => {
  if (login.kind === 'password') return usernamePasswordAuthenticator(login.user, () => readSecret(login.passwordFile));
  if (login.kind === 'nkey') return nkeyAuthenticator(() => encoder.encode(readSecret(login.seedFile).trim()));
  // The client finds the end of the seed only if a line break follows it.
  return credsAuthenticator(() => encoder.encode(`${readSecret(login.credsFile)}\n`));
};

/** The client would send the password in the clear to a server that does not offer TLS; with this option it refuses. */
const requiresTls = ({ url, tls }: NatsAccess): boolean => tls !== undefined || url.includes('tls://');

/** The options of every connection of a process. `user` has its own inboxes, so no other user can read its replies. */
export const natsOptions = (access: NatsAccess, user: string, name = user): ConnectionOptions => {
  const { caFile, certFile, keyFile } = access.tls ?? {};
  return {
    ...natsServers(access.url),
    name,
    inboxPrefix: inboxOf(user),
    ...(access.login && { authenticator: authenticatorOf(access.login) }),
    ...(requiresTls(access) && {
      tls: { ...(caFile !== undefined && { caFile }), ...(certFile !== undefined && { certFile, keyFile: keyFile! }) },
    }),
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    reconnectJitter: 50,
    // A password that is changed at the broker first is refused until the file changes too; giving up would need a restart.
    ignoreAuthErrorAbort: true,
    pingInterval: 10_000,
  };
};
