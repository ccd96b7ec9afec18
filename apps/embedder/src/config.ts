import { homedir } from 'node:os';
import { defaultCacheDir } from '@cairn/artifacts';
import { embeddingEnv, type EmbeddingConfig } from '@cairn/embedding';
import { natsAccess, natsEnv, type NatsAccess } from '@cairn/messaging';
import { logEnv, opsEnv } from '@cairn/observability';
import { kekConfig, kekEnv, type KekConfig } from '@cairn/vault';
import { z } from 'zod';

export interface EmbedderConfig extends KekConfig {
  readonly nats: NatsAccess;
  /** The directory of downloaded models. */
  readonly cacheDir: string;
  readonly model: EmbeddingConfig;
  /** For a process that also serves callers: true while a caller waits for an answer. Bulk work then yields. */
  readonly mustYield?: () => boolean;
}

const OPS_PORT = 7483;

export const embedderEnv = natsEnv
  .extend(kekEnv.shape)
  .extend(embeddingEnv.shape)
  .extend(logEnv.shape)
  .extend(opsEnv(OPS_PORT).shape)
  .extend({ CAIRN_CACHE: z.string().optional() });

export const embedderConfig = (env: z.infer<typeof embedderEnv>): EmbedderConfig => ({
  nats: natsAccess(env),
  ...kekConfig(env),
  cacheDir: env.CAIRN_CACHE ?? defaultCacheDir(homedir()),
  model: env,
});
