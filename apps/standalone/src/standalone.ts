import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { defaultCacheDir } from '@cairn/artifacts';
import { SEARCH_CONNECTIONS_EMBEDDED, type ServiceName } from '@cairn/contracts';
import { correctionConfig, type CorrectionConfig } from '@cairn/correction';
import { EmbedderModule } from '@cairn/embedder';
import { CONSOLE_DIR, createGateway, gatewaySettings, isLoopback, type Gateway } from '@cairn/gateway';
import { CommandWriter, IngestModule } from '@cairn/ingest';
import { startService, type RunningService } from '@cairn/messaging';
import {
  createMetrics,
  STARTING,
  startOpsServer,
  type Logger,
  type Metrics,
  type RunningProcess,
} from '@cairn/observability';
import { SearchModule } from '@cairn/search';
import type { KekConfig } from '@cairn/vault';
import type { DynamicModule } from '@nestjs/common';
import { startBackingServers, type BackingServers } from './backing-servers.js';
import { HOME_DEFAULT, type StandaloneEnv } from './config.js';
import { assertFreeAddress } from './free-address.js';
import { givenServers, type GivenServers } from './given-servers.js';
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
  readonly given: GivenServers;
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
  given,
  servers,
  keks,
  onRotated,
  logger,
  metrics,
  started,
}: Parts): Promise<void> => {
  const { nats, database } = servers;
  const { openSearch } = given;
  const residentMb = env.CAIRN_VECTORS_RESIDENT_MB;
  const serve = async (name: ServiceName, module: DynamicModule): Promise<RunningService> => {
    const service = await startService({ name, nats, module, logger, metrics });
    started.add(() => service.close());
    return service;
  };
  const { app } = await serve(
    'ingest',
    IngestModule.register({
      nats,
      natsMonitorUrl: env.NATS_MONITOR_URL,
      isBrokerProven: env.NATS_URL === undefined,
      brokerProblem: () => servers.brokerProblem,
      replicas: 1,
      isAlone: true,
      database,
      openSearch,
      bm25: { k1: env.CAIRN_BM25_K1, b: env.CAIRN_BM25_B },
      residentMb,
      ...keks,
      onRotated,
      correction,
    }),
  );
  const writer = app.get(CommandWriter);
  const cacheDir = env.CAIRN_CACHE ?? defaultCacheDir(homedir());
  const embedding = { nats, ...keks, cacheDir, model: env, mustYield: () => writer.isBusy };
  await serve('embedder', EmbedderModule.register(embedding));
  const searchConnections = env.DATABASE_URL === undefined ? SEARCH_CONNECTIONS_EMBEDDED : undefined;
  const search = { nats, database, openSearch, searchConnections, residentMb, ...keks };
  await serve('search', SearchModule.register(search));
};

const startGateway = async ({ env, servers, logger, metrics, started }: Parts): Promise<Gateway> => {
  const gateway = await createGateway({
    ...gatewaySettings(env),
    nats: servers.nats,
    servesOps: isLoopback(env.CAIRN_HOST),
    // Both are parts of this process.
    needs: ['ingest', 'search'],
    consoleDir: CONSOLE_DIR,
    isAlone: true,
    logger,
    metrics,
  });
  started.add(() => gateway.close());
  return gateway;
};

/** Health and metrics are not for clients, so a port that other machines reach does not serve them. */
const startOps = async (
  { env, metrics, logger, started }: Pick<Parts, 'env' | 'metrics' | 'logger' | 'started'>,
  gateway: () => Gateway | undefined,
): Promise<void> => {
  if (isLoopback(env.CAIRN_HOST)) return;
  const { CAIRN_OPS_HOST: host, CAIRN_OPS_PORT: port } = env;
  const ops = await startOpsServer({ host, port, metrics, ready: async () => gateway()?.check() ?? STARTING });
  started.add(() => ops.close());
  logger.info({ opsPort: ops.port }, 'health and metrics are on the ops port');
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
export const startStandalone = async (env: StandaloneEnv, logger: Logger): Promise<RunningProcess> => {
  // Runs first, so an error in the environment is reported before anything is started.
  const correction = correctionConfig(env);
  const given = givenServers(env);
  const startedAt = new Date().toISOString();
  const home = new Home(resolve(env.CAIRN_HOME));
  const started = new Started();
  try {
    home.lock();
    started.add(() => home.unlock());
    home.makePrivate();
    await assertFreeAddress(env.CAIRN_HOST, env.CAIRN_PORT);
    const metrics = createMetrics();
    const own: { gateway?: Gateway } = {};
    await startOps({ env, metrics, logger, started }, () => own.gateway);
    const { keks, onRotated } = keksOf(env, home, logger);
    let publish = (): void => undefined;
    const servers = await startBackingServers({
      given,
      home,
      logger,
      onRestart: () => publish(),
      onGiveUp: (error) => {
        logger.fatal(error.message);
        process.exit(1);
      },
    });
    started.add(() => servers.stop());
    const parts = { env, correction, given, servers, keks, onRotated, logger, metrics, started };
    await startServices(parts);
    const tokens = await ensureTokens(servers.nats, home);
    // Starts last, so everything is ready when the first client gets an answer.
    const gateway = (own.gateway = await startGateway(parts));
    const { url } = gateway;
    const mcpUrl = `${url}/mcp`;
    publish = () =>
      home.writeRunInfo({
        pid: process.pid,
        url,
        mcpUrl,
        childPids: servers.childPids,
        startedAt,
        natsUrl: servers.nats.url,
        databaseUrl: servers.database.url,
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
  return { close: () => started.stop(), stopDelayMs: gatewaySettings(env).stopDelayMs };
};
