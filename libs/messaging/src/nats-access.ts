import { badEnvironment, readSecret, requireTogether, tlsFiles, type TlsFiles } from '@cairn/credentials';
import type { NatsEnv } from './nats-env.js';
import { natsServers } from './nats-servers.js';

/** The broker, and who connects to it. Secrets stay in their files, which every connection reads again. */
export interface NatsAccess {
  /** One URL or several, separated by commas; it may contain a user and a password. */
  readonly url: string;
  readonly login?: NatsLogin | undefined;
  readonly tls?: TlsFiles | undefined;
}

export type NatsLogin =
  | { readonly kind: 'password'; readonly user: string; readonly passwordFile: string }
  | { readonly kind: 'nkey'; readonly seedFile: string }
  | { readonly kind: 'creds'; readonly credsFile: string };

type NatsSettings = NatsEnv | (Partial<NatsEnv> & Pick<NatsEnv, 'NATS_URL'>);

const KINDS = ['NATS_USER', 'NATS_NKEY_FILE', 'NATS_CREDS_FILE'] as const;

/** The broker tries one kind only, so a second one is a leftover that would seem to be in use. */
const assertOneKind = (env: NatsSettings): void => {
  const inUrl = natsServers(env.NATS_URL).user === undefined ? [] : ['a user in NATS_URL'];
  const given = [...inUrl, ...KINDS.filter((name) => env[name] !== undefined)];
  if (given.length < 2) return;
  const problem = `one process has one kind of NATS credentials, and ${given.join(' and ')} are set; unset all but one`;
  throw badEnvironment({ variable: KINDS.find((name) => env[name] !== undefined)!, problem });
};

const SEED = /^SU[A-Z2-7]{56}$/;
const CREDS = /BEGIN NATS USER JWT[\s\S]+BEGIN USER NKEY SEED/;

const nkeyLogin = (seedFile: string): NatsLogin => {
  if (SEED.test(readSecret(seedFile).trim())) return { kind: 'nkey', seedFile };
  const problem = `${seedFile} does not hold the seed of a user, which has 58 letters and digits and begins with SU`;
  throw badEnvironment({ variable: 'NATS_NKEY_FILE', problem });
};

const credsLogin = (credsFile: string): NatsLogin => {
  if (CREDS.test(readSecret(credsFile))) return { kind: 'creds', credsFile };
  const problem = `${credsFile} is not a credentials file, which holds the JWT and the seed of a user`;
  throw badEnvironment({ variable: 'NATS_CREDS_FILE', problem });
};

const loginOf = (env: NatsSettings): NatsLogin | undefined => {
  const { NATS_USER: user, NATS_PASSWORD_FILE: passwordFile, NATS_NKEY_FILE: seed, NATS_CREDS_FILE: creds } = env;
  if (user !== undefined) return { kind: 'password', user, passwordFile: passwordFile! };
  if (seed !== undefined) return nkeyLogin(seed);
  return creds === undefined ? undefined : credsLogin(creds);
};

/** From the environment of a process. Throws if the variables contradict each other. */
export const natsAccess = (env: NatsSettings): NatsAccess => {
  requireTogether(env, 'NATS_USER', 'NATS_PASSWORD_FILE');
  assertOneKind(env);
  return { url: env.NATS_URL, login: loginOf(env), tls: tlsFiles('NATS', env) };
};
