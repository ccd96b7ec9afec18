import { natsEnv } from '@cairn/messaging';
import { logEnv, opsEnv } from '@cairn/observability';
import { openSearchEnv, postgresEnv } from '@cairn/persistence';
import { kekConfig, kekEnv, type KekConfig } from '@cairn/vault';
import { z } from 'zod';

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

const RESIDENT_MB_MAX = 65_536;

export const residentEnv = z.object({
  CAIRN_VECTORS_RESIDENT_MB: z.coerce
    .number({ error: `must be a whole number of 0 to ${RESIDENT_MB_MAX}` })
    .pipe(z.int().min(0).max(RESIDENT_MB_MAX))
    .default(512)
    .describe(
      'Memory in which search keeps vectors, in MB: 400 bytes per vector of 384 dimensions. Workspaces that do not fit are searched in Postgres, and so are all with 0',
    ),
});

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
