import { correctionEnv } from '@cairn/correction';
import { embeddingEnv } from '@cairn/embedding';
import { gatewayEnv } from '@cairn/gateway';
import { natsEnv } from '@cairn/messaging';
import { bm25Env, openSearchEnv, postgresEnv, residentEnv } from '@cairn/persistence';
import { kekEnv } from '@cairn/vault';
import { z } from 'zod';

export const HOME_DEFAULT = './.cairn';

/** The standalone profile includes all of its servers; each URL that is set replaces one. */
export const standaloneEnv = gatewayEnv
  .extend(natsEnv.partial().shape)
  .extend(postgresEnv.partial().shape)
  .extend(openSearchEnv.shape)
  .extend(bm25Env.shape)
  .extend(kekEnv.partial().shape)
  .extend(embeddingEnv.shape)
  .extend(correctionEnv.shape)
  .extend(residentEnv.shape)
  .extend({
    CAIRN_HOME: z.string().default(HOME_DEFAULT),
    CAIRN_CACHE: z.string().optional(),
    NATS_MONITOR_URL: z.url('must be a URL such as http://127.0.0.1:8222').optional(),
  });

export type StandaloneEnv = z.infer<typeof standaloneEnv>;
