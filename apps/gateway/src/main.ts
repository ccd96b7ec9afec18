import { loadConfig } from '@cairn/kernel';
import { natsAccess } from '@cairn/messaging';
import { createLogger, createMetrics, logFormat, runProcess, startOpsServer, STARTING } from '@cairn/observability';
import { gatewayEnv, gatewaySettings } from './config.js';
import { CONSOLE_DIR } from './console/console-files.js';
import { createGateway, type Gateway } from './create-gateway.js';

runProcess(async () => {
  const env = loadConfig(gatewayEnv, process.env);
  const format = logFormat(env.LOG_FORMAT, process.stdout.isTTY);
  const logger = createLogger({ name: 'gateway', level: env.LOG_LEVEL, format });
  const metrics = createMetrics();
  const settings = gatewaySettings(env);
  const started: { gateway?: Gateway } = {};
  const ops = await startOpsServer({
    host: env.CAIRN_OPS_HOST,
    port: env.CAIRN_OPS_PORT,
    metrics,
    ready: async () => started.gateway?.check() ?? STARTING,
  });
  const gateway = (started.gateway = await createGateway({
    ...settings,
    nats: natsAccess(env),
    servesOps: false,
    needs: ['search'],
    consoleDir: CONSOLE_DIR,
    logger,
    metrics,
  }));
  logger.info({ url: gateway.url, opsPort: ops.port }, 'the gateway listens');
  return { close: () => gateway.close().then(() => ops.close()), stopDelayMs: settings.stopDelayMs };
});
