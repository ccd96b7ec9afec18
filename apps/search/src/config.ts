import { natsEnv } from '@cairn/messaging';
import { logEnv, opsEnv } from '@cairn/observability';
import { openSearchEnv, postgresEnv, residentEnv } from '@cairn/persistence';
import { kekConfig, kekEnv, type KekConfig } from '@cairn/vault';
import type { z } from 'zod';

export interface SearchConfig extends KekConfig {
  readonly natsUrl: string;
  readonly databaseUrl: string;
  /** Without it, Postgres does BM25. */
  readonly openSearchUrl?: string | undefined;
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
  natsUrl: env.NATS_URL,
  databaseUrl: env.DATABASE_URL,
  openSearchUrl: env.OPENSEARCH_URL,
  residentMb: env.CAIRN_VECTORS_RESIDENT_MB,
  ...kekConfig(env),
});
