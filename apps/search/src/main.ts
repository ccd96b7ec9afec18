import 'reflect-metadata';
import { SEARCH_QUEUE } from '@cairn/contracts';
import { loadConfig } from '@cairn/kernel';
import { natsTransport } from '@cairn/messaging';
import { createLogger, createMetrics, logFormat, nestLogger, runProcess, startOpsServer } from '@cairn/observability';
import { NestFactory } from '@nestjs/core';
import { searchConfig, searchEnv } from './config.js';
import { SearchModule } from './search.module.js';
import { SearchService } from './search.service.js';

runProcess(async () => {
  const env = loadConfig(searchEnv, process.env);
  const format = logFormat(env.LOG_FORMAT, process.stdout.isTTY);
  const logger = createLogger({ name: 'search', level: env.LOG_LEVEL, format });
  const metrics = createMetrics();
  const config = searchConfig(env);
  const app = await NestFactory.createMicroservice(SearchModule.register({ ...config, logger, metrics }), {
    ...natsTransport(config.natsUrl, SEARCH_QUEUE),
    logger: nestLogger(logger),
  });
  const { status } = app.get(SearchService);
  const ops = await startOpsServer({
    host: env.CAIRN_OPS_HOST,
    port: env.CAIRN_OPS_PORT,
    metrics,
    ready: () => status.check(),
  });
  await app.listen();
  logger.info({ opsPort: ops.port }, 'search answers queries');
  return {
    close: async () => {
      await app.close();
      await ops.close();
    },
  };
});
