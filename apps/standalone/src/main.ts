import 'reflect-metadata';
import { loadConfig } from '@cairn/kernel';
import { createLogger, logFormat, runProcess } from '@cairn/observability';
import { standaloneEnv } from './config.js';
import { startStandalone } from './standalone.js';

runProcess(async () => {
  const env = loadConfig(standaloneEnv, process.env);
  const format = logFormat(env.LOG_FORMAT, process.stdout.isTTY);
  const logger = createLogger({ name: 'cairn', level: env.LOG_LEVEL, format });
  return startStandalone(env, logger);
});
