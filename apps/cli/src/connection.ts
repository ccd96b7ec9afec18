import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkerExtractor } from '@cairn/extraction';
import { loadConfig } from '@cairn/kernel';
import { connectNats, type NatsConnection } from '@cairn/messaging';
import { JetStreamOpLog, VectorLog } from '@cairn/op-log';
import { bm25Env, connectOpenSearch, Database } from '@cairn/persistence';
import type { Stores } from '@cairn/projections';
import { JetStreamKeyStore, KekFiles, kekEnv, KeyRing, Vault, type KekConfig } from '@cairn/vault';
import { z } from 'zod';
import type { CommandContext } from './command-context.js';
import { UsageError } from './exit.js';
import { gatewayEnv } from './gateway-env.js';

export const cliEnv = bm25Env.extend(kekEnv.partial().shape).extend(gatewayEnv.shape).extend({
  NATS_URL: z.string().optional(),
  DATABASE_URL: z.string().optional(),
  OPENSEARCH_URL: z.string().optional(),
});
export type CliEnv = z.infer<typeof cliEnv>;

export interface Engines extends Stores {
  readonly nats: NatsConnection;
  /** True if all connections share one backend: one long statement then blocks all of them. */
  readonly isEmbedded: boolean;
  close(): Promise<void>;
}

interface Addresses {
  readonly natsUrl: string;
  readonly databaseUrl: string;
  readonly isEmbedded: boolean;
}

type RunFile = Omit<Addresses, 'isEmbedded'>;

/** The connection comes from the environment (cluster), or from the standalone that runs on this home. */
const addresses = (env: CliEnv): Addresses => {
  if (env.NATS_URL !== undefined && env.DATABASE_URL !== undefined)
    return { natsUrl: env.NATS_URL, databaseUrl: env.DATABASE_URL, isEmbedded: false };
  const file = join(env.CAIRN_HOME, 'run.json');
  if (!existsSync(file)) {
    throw new UsageError(
      `no Cairn runs on ${env.CAIRN_HOME}: start it with \`npm start\`, set CAIRN_HOME, or set NATS_URL and DATABASE_URL for a cluster`,
    );
  }
  return { ...(JSON.parse(readFileSync(file, 'utf8')) as RunFile), isEmbedded: true };
};

const keks = (env: CliEnv): KekConfig => {
  const given = env.CAIRN_KEK_PREVIOUS ?? [];
  if (env.CAIRN_KEK !== undefined) return { kek: env.CAIRN_KEK, previousKeks: given };
  const files = new KekFiles(env.CAIRN_HOME);
  if (!files.exists) throw new UsageError('set CAIRN_KEK: the key-encryption key is needed to read the log');
  const { kek, previousKeks = [] } = files.read();
  return { kek, previousKeks: [...previousKeks, ...given] };
};

const connectEngines = async (env: CliEnv): Promise<Engines> => {
  const { natsUrl, databaseUrl, isEmbedded } = addresses(env);
  const nats = await connectNats(natsUrl, 'cairn-cli');
  const database = await Database.connect({
    url: databaseUrl,
    applicationName: 'cairn-cli',
    poolSize: 2,
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
    openSearch: env.OPENSEARCH_URL === undefined ? undefined : connectOpenSearch(env.OPENSEARCH_URL),
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
): Promise<void> => {
  const engines = await connectEngines(loadConfig(cliEnv, context.env));
  try {
    context.exit(await run(engines));
  } finally {
    await engines.close();
  }
};
