import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkerExtractor } from '@cairn/extraction';
import { loadConfig } from '@cairn/kernel';
import { connectNats, natsAccess, natsEnv, streamsEnv, type NatsAccess, type NatsConnection } from '@cairn/messaging';
import { JetStreamOpLog, VectorLog } from '@cairn/op-log';
import {
  bm25Env,
  connectOpenSearch,
  Database,
  openSearchAccess,
  openSearchEnv,
  postgresAccess,
  postgresEnv,
  type PostgresAccess,
} from '@cairn/persistence';
import type { Stores } from '@cairn/projections';
import { JetStreamKeyStore, KekFiles, kekEnv, KeyRing, Vault, type KekConfig } from '@cairn/vault';
import type { z } from 'zod';
import type { CommandContext } from './command-context.js';
import { UsageError } from './exit.js';
import { gatewayEnv } from './gateway-env.js';

export const cliEnv = bm25Env
  .extend(natsEnv.partial().shape)
  .extend(streamsEnv.shape)
  .extend(kekEnv.partial().shape)
  .extend(gatewayEnv.shape)
  .extend(postgresEnv.partial().shape)
  .extend(openSearchEnv.shape);
export type CliEnv = z.infer<typeof cliEnv>;

export interface Engines extends Stores {
  readonly nats: NatsConnection;
  /** True if all connections share one backend: one long statement then blocks all of them. */
  readonly isEmbedded: boolean;
  close(): Promise<void>;
}

interface Addresses {
  readonly nats: NatsAccess;
  readonly database: PostgresAccess;
  readonly isEmbedded: boolean;
}

interface RunFile {
  readonly natsUrl: string;
  readonly databaseUrl: string;
}

/** The connection comes from the environment (cluster), or from the standalone that runs on this home. */
const addresses = (env: CliEnv): Addresses => {
  const { NATS_URL, DATABASE_URL } = env;
  if (NATS_URL !== undefined && DATABASE_URL !== undefined)
    return {
      nats: natsAccess({ ...env, NATS_URL }),
      database: postgresAccess({ ...env, DATABASE_URL }),
      isEmbedded: false,
    };
  const file = join(env.CAIRN_HOME, 'run.json');
  if (!existsSync(file)) {
    throw new UsageError(
      `no Cairn runs on ${env.CAIRN_HOME}: start it with \`npm start\`, set CAIRN_HOME, or set NATS_URL and DATABASE_URL for a cluster`,
    );
  }
  const { natsUrl, databaseUrl } = JSON.parse(readFileSync(file, 'utf8')) as RunFile;
  // Servers of its own are reached with the credentials of this process; the embedded ones have theirs in the URLs.
  return {
    nats: natsAccess({ ...env, NATS_URL: natsUrl }),
    database: postgresAccess({ ...env, DATABASE_URL: databaseUrl }),
    isEmbedded: true,
  };
};

const keks = (env: CliEnv): KekConfig => {
  const given = env.CAIRN_KEK_PREVIOUS ?? [];
  if (env.CAIRN_KEK !== undefined) return { kek: env.CAIRN_KEK, previousKeks: given };
  const files = new KekFiles(env.CAIRN_HOME);
  if (!files.exists) throw new UsageError('set CAIRN_KEK: the key-encryption key is needed to read the log');
  const { kek, previousKeks = [] } = files.read();
  return { kek, previousKeks: [...previousKeks, ...given] };
};

/** A repair holds one for its lock and one for the vectors that it reads. */
const POOL_SIZE = 4;

const connectEngines = async (env: CliEnv, user: 'cli' | 'ingest' = 'cli'): Promise<Engines> => {
  const { nats: access, database: to, isEmbedded } = addresses(env);
  const openSearch = openSearchAccess(env);
  const nats = await connectNats(access, user);
  const database = await Database.connect({
    ...to,
    applicationName: 'cairn-cli',
    poolSize: POOL_SIZE,
    pipeline: true,
  });
  // A rebuild of the graph reads texts in a thread while this one opens the next batch.
  const extractor = new WorkerExtractor();
  return {
    nats,
    pool: database.pool,
    isEmbedded,
    log: await JetStreamOpLog.open(nats),
    vectors: new VectorLog(nats),
    vault: new Vault(new KeyRing(keks(env)), await JetStreamKeyStore.open(nats)),
    openSearch: openSearch && connectOpenSearch(openSearch),
    extractor,
    bm25: { k1: env.CAIRN_BM25_K1, b: env.CAIRN_BM25_B },
    close: async () => {
      await extractor.close();
      await database.close();
      await nats.close();
    },
  };
};

/** Runs the action with the engines connected and always closes them afterwards. */
export const withEngines = async (
  context: CommandContext,
  run: (engines: Engines) => Promise<number>,
  { user = 'cli' }: { readonly user?: 'cli' | 'ingest' } = {},
): Promise<void> => {
  const engines = await connectEngines(loadConfig(cliEnv, context.env), user);
  try {
    context.exit(await run(engines));
  } finally {
    await engines.close();
  }
};

/**
 * The same with the rights of ingest at the broker, for a command that does its work while it is stopped. Only in a
 * cluster: a laptop's broker and database run as long as its ingest.
 */
export const withIngestEngines = async (
  context: CommandContext,
  run: (engines: Engines, env: CliEnv) => Promise<number>,
): Promise<void> => {
  const env = loadConfig(cliEnv, context.env);
  if (env.NATS_URL === undefined || env.DATABASE_URL === undefined)
    throw new UsageError('set NATS_URL and DATABASE_URL, with the user of ingest at both, as in docs/guides/repair.md');
  const engines = await connectEngines(env, 'ingest');
  try {
    context.exit(await run(engines, env));
  } finally {
    await engines.close();
  }
};
