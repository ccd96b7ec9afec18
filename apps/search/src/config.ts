import { natsAccess, natsEnv, type NatsAccess } from '@cairn/messaging';
import { logEnv, opsEnv } from '@cairn/observability';
import {
  openSearchAccess,
  openSearchEnv,
  postgresAccess,
  postgresEnv,
  residentEnv,
  type OpenSearchAccess,
  type PostgresAccess,
} from '@cairn/persistence';
import { kekConfig, kekEnv, type KekConfig } from '@cairn/vault';
import type { z } from 'zod';

export interface SearchConfig extends KekConfig {
  readonly nats: NatsAccess;
  readonly database: PostgresAccess;
  /** True if search has its own role, which must not be able to write. The embedded database has one role for all. */
  readonly hasOwnRole?: boolean;
  /** Without it, Postgres does BM25. */
  readonly openSearch?: OpenSearchAccess | undefined;
  /** Connections for the statements of searches; fewer for an embedded database than for a server. */
  readonly searchConnections?: number | undefined;
  /** Memory for vectors, in MB. 0 leaves every vector search to the database. */
  readonly residentMb: number;
}

const OPS_PORT = 7482;

export const searchEnv = natsEnv
  .extend(postgresEnv.shape)
  .extend(openSearchEnv.shape)
  .extend(kekEnv.shape)
  .extend(residentEnv.shape)
  .extend(logEnv.shape)
  .extend(opsEnv(OPS_PORT).shape);

export const searchConfig = (env: z.infer<typeof searchEnv>): SearchConfig => ({
  nats: natsAccess(env),
  database: postgresAccess(env),
  hasOwnRole: true,
  openSearch: openSearchAccess(env),
  residentMb: env.CAIRN_VECTORS_RESIDENT_MB,
  ...kekConfig(env),
});
