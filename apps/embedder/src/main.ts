import 'reflect-metadata';
import { homedir } from 'node:os';
import { defaultCacheDir } from '@cairn/artifacts';
import { EMBEDDER_QUEUE } from '@cairn/contracts';
import { loadConfig } from '@cairn/kernel';
import { natsTransport } from '@cairn/messaging';
import { createLogger, createMetrics, logFormat, nestLogger, runProcess, startOpsServer } from '@cairn/observability';
import { kekConfig } from '@cairn/vault';
import { NestFactory } from '@nestjs/core';
import { embedderEnv } from './config.js';
import { EmbedderModule } from './embedder.module.js';
import { EmbedderService } from './embedder.service.js';

runProcess(async () => {
  const env = loadConfig(embedderEnv, process.env);
  const format = logFormat(env.LOG_FORMAT, process.stdout.isTTY);
  const logger = createLogger({ name: 'embedder', level: env.LOG_LEVEL, format });
  const metrics = createMetrics();
  const cacheDir = env.CAIRN_CACHE ?? defaultCacheDir(homedir());
  const config = { natsUrl: env.NATS_URL, ...kekConfig(env), cacheDir, model: env };
  const service = await EmbedderService.open(config, logger, metrics);
  const app = await NestFactory.createMicroservice(EmbedderModule.register(service, logger), {
    ...natsTransport(config.natsUrl, EMBEDDER_QUEUE),
    logger: nestLogger(logger),
  });
  const ops = await startOpsServer({
    host: env.CAIRN_OPS_HOST,
    port: env.CAIRN_OPS_PORT,
    metrics,
    ready: () => Promise.resolve(service.check()),
  });
  await app.listen();
  logger.info({ opsPort: ops.port }, 'the embedder answers');
  return {
    close: async () => {
      await app.close();
      await ops.close();
    },
  };
});
