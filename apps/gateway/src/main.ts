import { loadConfig } from '@cairn/kernel';
import { createLogger, createMetrics, logFormat, runProcess } from '@cairn/observability';
import { compactionOf, gatewayEnv } from './config.js';
import { CONSOLE_DIR } from './console/console-files.js';
import { createGateway } from './create-gateway.js';

runProcess(async () => {
  const env = loadConfig(gatewayEnv, process.env);
  const format = logFormat(env.LOG_FORMAT, process.stdout.isTTY);
  const logger = createLogger({ name: 'gateway', level: env.LOG_LEVEL, format });
  const gateway = await createGateway({
    natsUrl: env.NATS_URL,
    host: env.CAIRN_HOST,
    port: env.CAIRN_PORT,
    allowedOrigins: env.CAIRN_ALLOWED_ORIGINS,
    fetchUrls: env.CAIRN_FETCH_URLS,
    compaction: compactionOf(env),
    connectorRoots: env.CAIRN_CONNECTOR_ROOTS,
    mcpLocalOrigins: env.CAIRN_MCP_LOCAL_ORIGINS,
    consoleDir: CONSOLE_DIR,
    logger,
    metrics: createMetrics(),
  });
  logger.info({ url: gateway.url }, 'the gateway listens');
  return gateway;
});
