import { correctionConfig, correctionEnv, type CorrectionConfig } from '@cairn/correction';
import { natsAccess, natsEnv, streamsEnv, type NatsAccess } from '@cairn/messaging';
import { logEnv, opsEnv } from '@cairn/observability';
import {
  bm25Env,
  openSearchAccess,
  openSearchEnv,
  postgresAccess,
  postgresEnv,
  residentEnv,
  type OpenSearchAccess,
  type PostgresAccess,
} from '@cairn/persistence';
import type { Bm25 } from '@cairn/projections';
import { kekConfig, kekEnv, type KekConfig } from '@cairn/vault';
import { z } from 'zod';

export interface IngestConfig extends KekConfig {
  readonly nats: NatsAccess;
  /** The monitoring address of the broker, used to verify that it syncs before it acknowledges. */
  readonly natsMonitorUrl?: string | undefined;
  /** The supervisor checks the embedded broker at every launch. */
  readonly isBrokerProven?: boolean;
  /** Why the embedded broker does not accept writes, from its supervisor; undefined while it does. */
  readonly brokerProblem?: () => string | undefined;
  readonly replicas: number;
  readonly database: PostgresAccess;
  readonly openSearch?: OpenSearchAccess | undefined;
  readonly bm25: Bm25;
  /** The memory in which search keeps vectors, in MB. Larger workspaces get an index. */
  readonly residentMb: number;
  /** True if no other ingest shares the broker: there is nothing to agree on then. */
  readonly isAlone?: boolean;
  /** False leaves the erasure of forgotten items to another process. */
  readonly erases?: boolean;
  /** Set by tests only. */
  readonly keywordIndexWaitMs?: number;
  /** The pause between two looks at the stores; set by tests only. */
  readonly storeLookPauseMs?: number;
  /** Called when a rotation has finished: no key is wrapped by a previous KEK any more. */
  readonly onRotated?: () => void;
  readonly correction: CorrectionConfig;
}

const OPS_PORT = 7481;

export const ingestEnv = natsEnv
  .extend(streamsEnv.shape)
  .extend(postgresEnv.shape)
  .extend(openSearchEnv.shape)
  .extend(bm25Env.shape)
  .extend(residentEnv.shape)
  .extend(kekEnv.shape)
  .extend(correctionEnv.shape)
  .extend(logEnv.shape)
  .extend(opsEnv(OPS_PORT).shape)
  .extend({
    NATS_MONITOR_URL: z.url('must be a URL such as http://127.0.0.1:8222').optional(),
  });

export const ingestConfig = (env: z.infer<typeof ingestEnv>): IngestConfig => ({
  nats: natsAccess(env),
  natsMonitorUrl: env.NATS_MONITOR_URL,
  replicas: env.NATS_REPLICAS,
  database: postgresAccess(env),
  openSearch: openSearchAccess(env),
  bm25: { k1: env.CAIRN_BM25_K1, b: env.CAIRN_BM25_B },
  residentMb: env.CAIRN_VECTORS_RESIDENT_MB,
  ...kekConfig(env),
  correction: correctionConfig(env),
});
