import type { Clock } from '@cairn/kernel';
import { natsEnv, type NatsAccess } from '@cairn/messaging';
import { logEnv, opsEnv, type Logger, type Metrics } from '@cairn/observability';
import { z } from 'zod';
import { parseNetwork, type Network } from './auth/client-address.js';
import type { PeerLimits } from './http/peer-deadlines.js';
import type { NeededService } from './ops/readiness.js';

const PORT_DEFAULT = 7480;
const OPS_PORT = 7484;
const PORT_WORDS = 'must be a port number of 0 to 65535; 0 picks a free one';

/** Undefined if the text is not an origin. */
const originOf = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined;
  const { origin, pathname, search } = new URL(text);
  return pathname === '/' && search === '' && /^https?:/.test(origin) ? origin : undefined;
};
const STOP_DELAY_SECONDS_MAX = 60;
const STOP_DELAY_WORDS = `must be a number of seconds from 0 to ${STOP_DELAY_SECONDS_MAX}`;
const COMPACTION_TOKENS_MAX = 1_000_000;
const COMPACTION_WORDS = `must be a number of tokens from 1 to ${COMPACTION_TOKENS_MAX}`;

export const gatewayEnv = z.object({
  ...natsEnv.shape,
  ...logEnv.shape,
  ...opsEnv(OPS_PORT).shape,
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
  CAIRN_TRUSTED_PROXIES: z
    .string()
    .optional()
    .transform((list) => (list ? list.split(',').map((text) => parseNetwork(text.trim())) : []))
    .pipe(
      z.array(
        z.custom<Network>((network) => network !== undefined, {
          error: 'must be addresses or networks such as 10.0.0.0/8, separated by commas',
        }),
      ),
    ),
  CAIRN_STOP_DELAY_SECONDS: z.coerce
    .number({ error: STOP_DELAY_WORDS })
    .pipe(z.number().min(0, { error: STOP_DELAY_WORDS }).max(STOP_DELAY_SECONDS_MAX, { error: STOP_DELAY_WORDS }))
    .default(0),
  CAIRN_CONNECTOR_ROOTS: z
    .string()
    .optional()
    .transform((list) => (list ? list.split(':').filter((path) => path !== '') : []))
    .pipe(z.array(z.string().startsWith('/', { error: 'must be absolute directories, separated by colons' }))),
  CAIRN_FETCH_URLS: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('true')
    .transform((value) => value === 'true'),
  CAIRN_MCP_LOCAL_ORIGINS: z
    .string()
    .optional()
    .transform((list) => (list ? list.split(',').map((origin) => originOf(origin.trim())) : []))
    .pipe(z.array(z.string({ error: 'must be origins such as http://localhost:23373, separated by commas' }))),
  CAIRN_COMPACTION_MAX_TOKENS: z.coerce
    .number({ error: COMPACTION_WORDS })
    .pipe(z.int({ error: COMPACTION_WORDS }).min(1, { error: COMPACTION_WORDS }).max(COMPACTION_TOKENS_MAX))
    .optional(),
});

export interface GatewayConfig {
  readonly nats: NatsAccess;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** In addition to the gateway's own origin. */
  readonly allowedOrigins: readonly string[];
  /** Whether pages of public sites are fetched on request. */
  readonly fetchUrls: boolean;
  /** Longer texts of artifacts are cut to this budget; undefined disables cutting. */
  readonly compaction?: { readonly maxTokens: number } | undefined;
  /** Directories that the folder connector may read; without any, it is off. */
  readonly connectorRoots?: readonly string[];
  /** Origins that external MCP servers may have although they are private or lack TLS. */
  readonly mcpLocalOrigins?: readonly string[];
  /** The built console; without it, `/` explains how to build it. */
  readonly consoleDir?: string;
  /** True if no other gateway uses the broker. */
  readonly isAlone?: boolean;
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies?: readonly Network[];
  /** How long a gateway that stops serves new connections, so that load balancers notice that it is not ready. */
  readonly stopDelayMs?: number;
  /** Whether this port also serves /healthz, /readyz and /metrics. */
  readonly servesOps: boolean;
  /** The services without which the gateway is not ready. */
  readonly needs: readonly NeededService[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Set by tests only. */
  readonly clock?: Clock;
  readonly peerLimits?: PeerLimits;
}

type GatewayEnv = Omit<z.infer<typeof gatewayEnv>, keyof z.infer<typeof natsEnv>>;

/** The settings that mean the same in both profiles. */
export const gatewaySettings = (env: GatewayEnv) => ({
  host: env.CAIRN_HOST,
  port: env.CAIRN_PORT,
  allowedOrigins: env.CAIRN_ALLOWED_ORIGINS,
  trustedProxies: env.CAIRN_TRUSTED_PROXIES,
  stopDelayMs: env.CAIRN_STOP_DELAY_SECONDS * 1_000,
  fetchUrls: env.CAIRN_FETCH_URLS,
  compaction:
    env.CAIRN_COMPACTION_MAX_TOKENS === undefined ? undefined : { maxTokens: env.CAIRN_COMPACTION_MAX_TOKENS },
  connectorRoots: env.CAIRN_CONNECTOR_ROOTS,
  mcpLocalOrigins: env.CAIRN_MCP_LOCAL_ORIGINS,
});
