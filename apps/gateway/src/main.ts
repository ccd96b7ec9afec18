import { ConfigError, loadConfig } from '@cairn/kernel';
import { createLogger, createMetrics, logFormat } from '@cairn/observability';
import { gatewayEnv } from './config.js';
import { createGateway } from './create-gateway.js';

const boot = async (): Promise<void> => {
  const env = loadConfig(gatewayEnv, process.env);
  const format = logFormat(env.LOG_FORMAT, process.stdout.isTTY);
  const logger = createLogger({ name: 'gateway', level: env.LOG_LEVEL, format });
  const gateway = await createGateway({
    natsUrl: env.NATS_URL,
    host: env.CAIRN_HOST,
    port: env.CAIRN_PORT,
    allowedOrigins: env.CAIRN_ALLOWED_ORIGINS,
    logger,
    metrics: createMetrics(),
  });
  logger.info({ url: gateway.url }, 'the gateway listens');
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    void gateway.close().then(() => process.exit(0));
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
};

boot().catch((error: unknown) => {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
});
