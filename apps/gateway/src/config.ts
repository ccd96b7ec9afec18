import type { Clock } from '@cairn/kernel';
import { natsEnv } from '@cairn/messaging';
import { logEnv, type Logger, type Metrics } from '@cairn/observability';
import { z } from 'zod';
import type { PeerLimits } from './http/peer-deadlines.js';

const PORT_DEFAULT = 7480;
const PORT_WORDS = 'must be a port number of 0 to 65535; 0 picks a free one';

export const gatewayEnv = z.object({
  ...natsEnv.shape,
  ...logEnv.shape,
  CAIRN_HOST: z.string().default('127.0.0.1'),
  CAIRN_PORT: z.coerce
    .number({ error: PORT_WORDS })
    .pipe(z.int({ error: PORT_WORDS }).min(0, { error: PORT_WORDS }).max(65_535, { error: PORT_WORDS }))
    .default(PORT_DEFAULT),
  CAIRN_ALLOWED_ORIGINS: z
    .string()
    .optional()
    .transform((list) => (list ? list.split(',').map((origin) => origin.trim()) : []))
    .pipe(z.array(z.url({ message: 'must be origins such as https://app.example.com, separated by commas' }))),
  CAIRN_FETCH_URLS: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('true')
    .transform((value) => value === 'true'),
});

export interface GatewayConfig {
  readonly natsUrl: string;
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** In addition to the gateway's own origin. */
  readonly allowedOrigins: readonly string[];
  /** Whether pages of public sites are fetched for those who ask. */
  readonly fetchUrls: boolean;
  /** The built console; without it `/` says how to build it. */
  readonly consoleDir?: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Tests set their own. */
  readonly clock?: Clock;
  readonly peerLimits?: PeerLimits;
}
