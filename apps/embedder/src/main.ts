import 'reflect-metadata';
import { homedir } from 'node:os';
import { defaultCacheDir } from '@cairn/artifacts';
import { EMBEDDER_QUEUE } from '@cairn/contracts';
import { loadConfig } from '@cairn/kernel';
import { natsTransport } from '@cairn/messaging';
import { createLogger, createMetrics, logFormat, nestLogger, startOpsServer } from '@cairn/observability';
import { NestFactory } from '@nestjs/core';
import { embedderEnv, type EmbedderConfig } from './config.js';
import { EmbedderModule } from './embedder.module.js';
import { EmbedderService } from './embedder.service.js';

const env = loadConfig(embedderEnv, process.env);
const logger = createLogger({
  name: 'embedder',
  level: env.LOG_LEVEL,
  format: logFormat(env.LOG_FORMAT, process.stdout.isTTY),
});
const config: EmbedderConfig = {
  natsUrl: env.NATS_URL,
  kek: env.CAIRN_KEK,
  cacheDir: env.CAIRN_CACHE ?? defaultCacheDir(homedir()),
  model: env,
};
const metrics = createMetrics();
const service = await EmbedderService.open(config, logger, metrics);
const app = await NestFactory.createMicroservice(EmbedderModule.register(service, logger), {
  ...natsTransport(config.natsUrl, EMBEDDER_QUEUE),
  logger: nestLogger(logger),
});
const ops = await startOpsServer({
  host: env.CAIRN_OPS_HOST,
  port: env.CAIRN_OPS_PORT,
  metrics,
  ready: () => Promise.resolve({ ready: true, notes: service.hasModel ? [] : ['no model is loaded'] }),
});
await app.listen();
logger.info({ opsPort: ops.port }, 'the embedder answers');

const stop = async (): Promise<void> => {
  await ops.close();
  await app.close();
  process.exit(0);
};
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());
