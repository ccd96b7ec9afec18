import { DRAIN_MS_MAX, type Readiness, type ServiceName } from '@cairn/contracts';
import { loadConfig, uuidV7 } from '@cairn/kernel';
import {
  createLogger,
  createMetrics,
  LOGGER,
  logFormat,
  Metrics,
  nestLogger,
  runProcess,
  startOpsServer,
  STARTING,
  type logEnv,
  type Logger,
  type opsEnv,
} from '@cairn/observability';
import { Module, type DynamicModule, type INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { z } from 'zod';
import { deafService } from './connect-problem.js';
import type { NatsConnection } from './connection.js';
import { announceIngest } from './living-ingests.js';
import { natsAccess, type NatsAccess } from './nats-access.js';
import type { NatsEnv } from './nats-env.js';
import { natsTransport, type DrainingNatsServer } from './nats-transport.js';
import { Responder } from './responder.js';

/** Nest's injection token of an `AbortSignal` that ends the waits that are left when a service stops. */
export const STOPPING = Symbol('cairn.stopping');

/** Nest's injection token of a function: from its call on, the service also takes the requests marked `WHEN_READY`. */
export const TAKE_ALL = Symbol('cairn.take-all');

@Module({})
class ProcessModule {}

@Module({})
class RootModule {}

export interface ServiceOptions {
  readonly name: ServiceName;
  readonly nats: NatsAccess;
  readonly module: DynamicModule;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The id under which an ingest takes commands of its own, and announces itself to the gateways. */
  readonly replicaId?: string;
}

export interface RunningService {
  readonly app: INestMicroservice;
  /** Accepts no new requests, answers the accepted ones, then closes the resources of the module. */
  close(): Promise<void>;
}

/** The module of a service, with the process-wide values for all of its providers. */
export const serviceModule = (
  { module, logger, metrics }: Pick<ServiceOptions, 'module' | 'logger' | 'metrics'>,
  stopping: AbortSignal,
  takeAll: () => void = () => undefined,
): DynamicModule => {
  const shared = [
    { provide: LOGGER, useValue: logger },
    { provide: Metrics, useValue: metrics },
    { provide: STOPPING, useValue: stopping },
    { provide: TAKE_ALL, useValue: takeAll },
    Responder,
  ];
  const process = { module: ProcessModule, global: true, providers: shared, exports: shared };
  return { module: RootModule, imports: [process, module] };
};

/** The broker tells only after a subscription that a service may not receive its requests. */
const listen = async (
  app: INestMicroservice,
  strategy: DrainingNatsServer,
  { nats, name }: ServiceOptions,
): Promise<void> => {
  try {
    await app.listen();
    // Nest does not wait until the broker has registered the subscriptions; an earlier request would find no responder.
    await app.unwrap<NatsConnection>().flush();
    const { refusedSubject } = strategy;
    if (refusedSubject !== undefined) throw deafService(nats, name, refusedSubject);
  } catch (thrown) {
    await app.close();
    throw thrown;
  }
};

/** Starts a service that answers requests over NATS, in its own process or next to others. */
export const startService = async (options: ServiceOptions): Promise<RunningService> => {
  const stopping = new AbortController();
  const { replicaId } = options;
  const strategy = natsTransport(options.nats, options.name, replicaId);
  const module = serviceModule(options, stopping.signal, () => strategy.takeAll());
  const app = await NestFactory.createMicroservice(module, {
    strategy,
    logger: nestLogger(options.logger),
    // The caller reports why startup failed.
    abortOnError: false,
  });
  await listen(app, strategy, options);
  const leave = replicaId === undefined ? undefined : announceIngest(app.unwrap<NatsConnection>(), replicaId);
  const stop = async (): Promise<void> => {
    leave?.();
    await strategy.drain(DRAIN_MS_MAX);
    stopping.abort();
    await app.close();
  };
  let stopped: Promise<void> | undefined;
  return { app, close: () => (stopped ??= stop()) };
};

type ServiceEnv = NatsEnv & z.infer<typeof logEnv> & z.infer<ReturnType<typeof opsEnv>>;

export interface ServiceProcess<S extends z.ZodType<ServiceEnv>> {
  readonly name: ServiceName;
  readonly env: S;
  readonly module: (env: z.infer<S>) => DynamicModule;
  /** Each replica also takes commands under an id of its own. */
  readonly isAddressed?: true;
  /** Used by the ops port. */
  readonly check: (app: INestMicroservice) => Readiness | Promise<Readiness>;
}

/** The whole of a service's `main.ts`: environment, logger, metrics, ops port, signals. */
export const runService = <S extends z.ZodType<ServiceEnv>>(
  variables: NodeJS.ProcessEnv,
  { name, env: schema, module: moduleOf, isAddressed, check }: ServiceProcess<S>,
): void =>
  runProcess(async () => {
    const env = loadConfig(schema, variables);
    const format = logFormat(env.LOG_FORMAT, process.stdout.isTTY);
    const logger = createLogger({ name, level: env.LOG_LEVEL, format });
    const metrics = createMetrics();
    const running: { service?: RunningService } = {};
    let isStopping = false;
    const ready = async (): Promise<Readiness> => {
      if (isStopping) return { ready: false, notes: ['shutting down'] };
      return running.service ? check(running.service.app) : STARTING;
    };
    // First, because a start may take long: it catches up with the log.
    const ops = await startOpsServer({ host: env.CAIRN_OPS_HOST, port: env.CAIRN_OPS_PORT, metrics, ready });
    const module = moduleOf(env);
    const own = isAddressed && { replicaId: uuidV7() };
    const service = await startService({ name, nats: natsAccess(env), module, logger, metrics, ...own });
    running.service = service;
    logger.info({ opsPort: ops.port }, `${name} answers requests`);
    return {
      close: async () => {
        isStopping = true;
        await service.close();
        await ops.close();
      },
    };
  });
