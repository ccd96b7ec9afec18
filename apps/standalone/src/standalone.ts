import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { defaultCacheDir } from '@cairn/artifacts';
import { SEARCH_CONNECTIONS_EMBEDDED, type ServiceName } from '@cairn/contracts';
import { correctionConfig, type CorrectionConfig } from '@cairn/correction';
import { EmbedderModule } from '@cairn/embedder';
import { compactionOf, CONSOLE_DIR, createGateway, type Gateway } from '@cairn/gateway';
import { CommandWriter, IngestModule } from '@cairn/ingest';
import { startService, type RunningService } from '@cairn/messaging';
import { createMetrics, type Logger, type Metrics } from '@cairn/observability';
import { SearchModule } from '@cairn/search';
import type { KekConfig } from '@cairn/vault';
import type { DynamicModule } from '@nestjs/common';
import { startBackingServers, type BackingServers } from './backing-servers.js';
import { HOME_DEFAULT, type StandaloneEnv } from './config.js';
import { assertFreeAddress } from './free-address.js';
import { ensureTokens, type HomeTokens } from './home-tokens.js';
import { Home } from './home.js';
import { welcome } from './welcome.js';

/** Started resources, to be stopped in reverse order. */
class Started {
  private readonly stops: (() => Promise<void> | void)[] = [];

  add(stop: () => Promise<void> | void): void {
    this.stops.unshift(stop);
  }

  /** Runs every step, even after one has failed; the first failure is thrown at the end. */
  async stop(): Promise<void> {
    const failures: unknown[] = [];
    for (const stop of this.stops.splice(0)) {
      try {
        await stop();
      } catch (thrown) {
        failures.push(thrown);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

interface Parts {
  readonly env: StandaloneEnv;
  readonly correction: CorrectionConfig;
  readonly servers: BackingServers;
  readonly keks: KekConfig;
  /** Called once no key is wrapped by a previous KEK. */
  readonly onRotated: () => void;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly started: Started;
}

const startServices = async ({
  env,
  correction,
  servers,
  keks,
  onRotated,
  logger,
  metrics,
  started,
}: Parts): Promise<void> => {
  const { natsUrl, databaseUrl } = servers;
  const openSearchUrl = env.OPENSEARCH_URL;
  const residentMb = env.CAIRN_VECTORS_RESIDENT_MB;
  const serve = async (name: ServiceName, module: DynamicModule): Promise<RunningService> => {
    const service = await startService({ name, natsUrl, module, logger, metrics });
    started.add(() => service.close());
    return service;
  };
  const { app } = await serve(
    'ingest',
    IngestModule.register({
      natsUrl,
      natsMonitorUrl: env.NATS_MONITOR_URL,
      isBrokerProven: env.NATS_URL === undefined,
      brokerProblem: () => servers.brokerProblem,
      replicas: 1,
      databaseUrl,
      openSearchUrl,
      bm25: { k1: env.CAIRN_BM25_K1, b: env.CAIRN_BM25_B },
      residentMb,
      ...keks,
      onRotated,
      correction,
    }),
  );
  const writer = app.get(CommandWriter);
  const cacheDir = env.CAIRN_CACHE ?? defaultCacheDir(homedir());
  const embedding = { natsUrl, ...keks, cacheDir, model: env, mustYield: () => writer.isBusy };
  await serve('embedder', EmbedderModule.register(embedding));
  const searchConnections = env.DATABASE_URL === undefined ? SEARCH_CONNECTIONS_EMBEDDED : undefined;
  const search = { natsUrl, databaseUrl, openSearchUrl, searchConnections, residentMb, ...keks };
  await serve('search', SearchModule.register(search));
};

const startGateway = async ({ env, servers, logger, metrics, started }: Parts): Promise<Gateway> => {
  const gateway = await createGateway({
    natsUrl: servers.natsUrl,
    host: env.CAIRN_HOST,
    port: env.CAIRN_PORT,
    allowedOrigins: env.CAIRN_ALLOWED_ORIGINS,
    fetchUrls: env.CAIRN_FETCH_URLS,
    compaction: compactionOf(env),
    connectorRoots: env.CAIRN_CONNECTOR_ROOTS,
    mcpLocalOrigins: env.CAIRN_MCP_LOCAL_ORIGINS,
    consoleDir: CONSOLE_DIR,
    logger,
    metrics,
  });
  started.add(() => gateway.close());
  return gateway;
};

/** For the link that a start shows only at a terminal: others may read captured output while the code is valid. */
const newSignInCode = async (gateway: Gateway, { admin }: HomeTokens, home: Home): Promise<string | undefined> => {
  const token = process.stdout.isTTY && admin.isGood ? home.readToken('admin') : undefined;
  // Without a link, the output points to `cairn link`, so a failure does not end the start.
  return token === undefined ? undefined : gateway.mintSignInCode(token).catch(() => undefined);
};

/** Resolved against the directory that Cairn was started in. */
const commandFor = (home: Home): string =>
  home.dir === resolve(HOME_DEFAULT) ? 'npx cairn' : `CAIRN_HOME=${home.dir} npx cairn`;

/** From the environment, where it must also be rotated, or else from the home. */
const keksOf = (env: StandaloneEnv, home: Home, logger: Logger): Pick<Parts, 'keks' | 'onRotated'> => {
  const given = env.CAIRN_KEK_PREVIOUS ?? [];
  if (env.CAIRN_KEK !== undefined)
    return { keks: { kek: env.CAIRN_KEK, previousKeks: given }, onRotated: () => undefined };
  const { kek, previousKeks = [] } = home.keks();
  const onRotated = (): void => {
    if (previousKeks.length === 0) return;
    home.destroyPreviousKek();
    logger.info('the previous KEK of this home was destroyed');
  };
  return { keks: { kek, previousKeks: [...previousKeks, ...given] }, onRotated };
};

/** The four services in one process with their servers as children: the same modules, the same paths, over NATS. */
export const startStandalone = async (env: StandaloneEnv, logger: Logger): Promise<{ close(): Promise<void> }> => {
  // Runs first, so an error in the environment is reported before anything is started.
  const correction = correctionConfig(env);
  const startedAt = new Date().toISOString();
  const home = new Home(resolve(env.CAIRN_HOME));
  const started = new Started();
  try {
    home.lock();
    started.add(() => home.unlock());
    home.makePrivate();
    await assertFreeAddress(env.CAIRN_HOST, env.CAIRN_PORT);
    const { keks, onRotated } = keksOf(env, home, logger);
    let publish = (): void => undefined;
    const servers = await startBackingServers({
      env,
      home,
      logger,
      onRestart: () => publish(),
      onGiveUp: (error) => {
        logger.fatal(error.message);
        process.exit(1);
      },
    });
    started.add(() => servers.stop());
    const parts = { env, correction, servers, keks, onRotated, logger, metrics: createMetrics(), started };
    await startServices(parts);
    const tokens = await ensureTokens(servers.natsUrl, home);
    // Starts last, so everything is ready when the first client gets an answer.
    const gateway = await startGateway(parts);
    const { url } = gateway;
    const mcpUrl = `${url}/mcp`;
    publish = () =>
      home.writeRunInfo({
        pid: process.pid,
        url,
        mcpUrl,
        childPids: servers.childPids,
        startedAt,
        natsUrl: servers.natsUrl,
        databaseUrl: servers.databaseUrl,
      });
    publish();
    started.add(() => home.removeRunInfo());
    const isTerminal = process.stdout.isTTY;
    const signInCode = await newSignInCode(gateway, tokens, home);
    process.stdout.write(`${welcome({ url, tokens, isTerminal, signInCode, command: commandFor(home) })}\n`);
  } catch (thrown) {
    await started.stop();
    throw thrown;
  }
  return { close: () => started.stop() };
};
