import { badEnvironment } from '@cairn/credentials';
import { natsAccess, natsEnv, type NatsAccess } from '@cairn/messaging';
import {
  openSearchAccess,
  postgresAccess,
  postgresEnv,
  type OpenSearchAccess,
  type PostgresAccess,
} from '@cairn/persistence';
import type { StandaloneEnv } from './config.js';

/** The servers of the environment. */
export interface GivenServers {
  readonly broker: NatsAccess | undefined;
  readonly database: PostgresAccess | undefined;
  readonly openSearch: OpenSearchAccess | undefined;
}

/** A credential without its server would seem to be in use, although the embedded server has its own password. */
const refuseLost = (env: StandaloneEnv, variables: readonly string[], url: keyof StandaloneEnv): void => {
  const lost = variables.filter((name) => env[name as keyof StandaloneEnv] !== undefined);
  if (lost.length === 0) return;
  throw badEnvironment(...lost.map((variable) => ({ variable, problem: `is for ${url}; set that too` })));
};

/** Throws if the variables contradict each other. */
export const givenServers = (env: StandaloneEnv): GivenServers => {
  const { NATS_URL, DATABASE_URL } = env;
  if (NATS_URL === undefined) refuseLost(env, Object.keys(natsEnv.shape), 'NATS_URL');
  if (DATABASE_URL === undefined) refuseLost(env, Object.keys(postgresEnv.shape), 'DATABASE_URL');
  return {
    broker: NATS_URL === undefined ? undefined : natsAccess({ ...env, NATS_URL }),
    database: DATABASE_URL === undefined ? undefined : postgresAccess({ ...env, DATABASE_URL }),
    openSearch: openSearchAccess(env),
  };
};
