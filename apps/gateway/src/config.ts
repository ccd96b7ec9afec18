import type { Clock } from '@cairn/kernel';
import { natsEnv } from '@cairn/messaging';
import { logEnv, type Logger, type Metrics } from '@cairn/observability';
import { z } from 'zod';
import type { PeerLimits } from './http/peer-deadlines.js';

const PORT_DEFAULT = 7480;
const PORT_WORDS = 'must be a port number of 0 to 65535; 0 picks a free one';

/** Undefined if the text is not an origin. */
const originOf = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined;
  const { origin, pathname, search } = new URL(text);
  return pathname === '/' && search === '' && /^https?:/.test(origin) ? origin : undefined;
};
const COMPACTION_TOKENS_MAX = 1_000_000;
const COMPACTION_WORDS = `must be a number of tokens from 1 to ${COMPACTION_TOKENS_MAX}`;

/** The configured length limit of artifacts; if unset, they are returned whole. */
export const compactionOf = (env: { readonly CAIRN_COMPACTION_MAX_TOKENS?: number | undefined }) =>
  env.CAIRN_COMPACTION_MAX_TOKENS === undefined ? undefined : { maxTokens: env.CAIRN_COMPACTION_MAX_TOKENS };

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
  readonly natsUrl: string;
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
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Set by tests only. */
  readonly clock?: Clock;
  readonly peerLimits?: PeerLimits;
}
