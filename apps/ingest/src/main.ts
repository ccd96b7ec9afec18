import 'reflect-metadata';
import { INGEST_QUEUE } from '@cairn/contracts';
import { loadConfig } from '@cairn/kernel';
import { natsTransport } from '@cairn/messaging';
import { createLogger, createMetrics, logFormat, nestLogger, runProcess, startOpsServer } from '@cairn/observability';
import { NestFactory } from '@nestjs/core';
import { ingestConfig, ingestEnv } from './config.js';
import { IngestModule } from './ingest.module.js';
import { IngestService } from './ingest.service.js';

runProcess(async () => {
  const env = loadConfig(ingestEnv, process.env);
  const format = logFormat(env.LOG_FORMAT, process.stdout.isTTY);
  const logger = createLogger({ name: 'ingest', level: env.LOG_LEVEL, format });
  const metrics = createMetrics();
  const config = ingestConfig(env);
  const service = await IngestService.open(config, logger, metrics);
  const app = await NestFactory.createMicroservice(IngestModule.register(service, logger, metrics), {
    ...natsTransport(config.natsUrl, INGEST_QUEUE),
    logger: nestLogger(logger),
  });
  const ops = await startOpsServer({
    host: env.CAIRN_OPS_HOST,
    port: env.CAIRN_OPS_PORT,
    metrics,
    ready: () => Promise.resolve(service.check()),
  });
  await app.listen();
  logger.info({ opsPort: ops.port }, 'ingest takes commands');
  return {
    close: async () => {
      await service.finish();
      await app.close();
      await ops.close();
    },
  };
});
