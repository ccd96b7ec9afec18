import type { Readiness, ServiceName } from '@cairn/contracts';
import { loadConfig } from '@cairn/kernel';
import {
  createLogger,
  createMetrics,
  LOGGER,
  logFormat,
  Metrics,
  nestLogger,
  runProcess,
  startOpsServer,
  type logEnv,
  type Logger,
  type opsEnv,
} from '@cairn/observability';
import { Module, type DynamicModule, type INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { z } from 'zod';
import type { NatsConnection } from './connection.js';
import type { natsEnv } from './nats-env.js';
import { natsTransport } from './nats-transport.js';
import { Responder } from './responder.js';

/** Nest's injection token of an `AbortSignal` that ends long waits when the service stops. */
export const STOPPING = Symbol('cairn.stopping');

@Module({})
class ProcessModule {}

@Module({})
class RootModule {}

export interface ServiceOptions {
  readonly name: ServiceName;
  readonly natsUrl: string;
  readonly module: DynamicModule;
  readonly logger: Logger;
  readonly metrics: Metrics;
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
): DynamicModule => {
  const shared = [
    { provide: LOGGER, useValue: logger },
    { provide: Metrics, useValue: metrics },
    { provide: STOPPING, useValue: stopping },
    Responder,
  ];
  const process = { module: ProcessModule, global: true, providers: shared, exports: shared };
  return { module: RootModule, imports: [process, module] };
};

/** Starts a service that answers requests over NATS, in its own process or next to others. */
export const startService = async (options: ServiceOptions): Promise<RunningService> => {
  const stopping = new AbortController();
  const app = await NestFactory.createMicroservice(serviceModule(options, stopping.signal), {
    ...natsTransport(options.natsUrl, options.name),
    logger: nestLogger(options.logger),
    // The caller reports why startup failed.
    abortOnError: false,
  });
  try {
    await app.listen();
    // Nest does not wait until the broker has registered the subscriptions; an earlier request would find no responder.
    await app.unwrap<NatsConnection>().flush();
  } catch (thrown) {
    await app.close();
    throw thrown;
  }
  const close = async (): Promise<void> => {
    stopping.abort();
    await app.close();
  };
  return { app, close };
};

type ServiceEnv = z.infer<typeof natsEnv> & z.infer<typeof logEnv> & z.infer<ReturnType<typeof opsEnv>>;

export interface ServiceProcess<S extends z.ZodType<ServiceEnv>> {
  readonly name: ServiceName;
  readonly env: S;
  readonly module: (env: z.infer<S>) => DynamicModule;
  /** Used by the ops port. */
  readonly check: (app: INestMicroservice) => Readiness | Promise<Readiness>;
}

/** The whole of a service's `main.ts`: environment, logger, metrics, ops port, signals. */
export const runService = <S extends z.ZodType<ServiceEnv>>(
  variables: NodeJS.ProcessEnv,
  { name, env: schema, module, check }: ServiceProcess<S>,
): void =>
  runProcess(async () => {
    const env = loadConfig(schema, variables);
    const format = logFormat(env.LOG_FORMAT, process.stdout.isTTY);
    const logger = createLogger({ name, level: env.LOG_LEVEL, format });
    const metrics = createMetrics();
    const service = await startService({ name, natsUrl: env.NATS_URL, module: module(env), logger, metrics });
    let isStopping = false;
    const ready = async (): Promise<Readiness> =>
      isStopping ? { ready: false, notes: ['shutting down'] } : check(service.app);
    const ops = await startOpsServer({ host: env.CAIRN_OPS_HOST, port: env.CAIRN_OPS_PORT, metrics, ready });
    logger.info({ opsPort: ops.port }, `${name} answers requests`);
    return {
      close: async () => {
        isStopping = true;
        await service.close();
        await ops.close();
      },
    };
  });
