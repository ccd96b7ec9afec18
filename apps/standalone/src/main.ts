import 'reflect-metadata';
import { loadConfig } from '@cairn/kernel';
import { createLogger, logFormat, runProcess } from '@cairn/observability';
import { standaloneEnv } from './config.js';
import { startStandalone } from './standalone.js';
import { unknownVariables } from './unknown-variables.js';

/** What this process and its children write is for their owner only: much of it is made from plaintext. */
const OWNER_ONLY = 0o077;

process.umask(OWNER_ONLY);
runProcess(async () => {
  const env = loadConfig(standaloneEnv, process.env);
  const format = logFormat(env.LOG_FORMAT, process.stdout.isTTY);
  const logger = createLogger({ name: 'cairn', level: env.LOG_LEVEL, format });
  const unknown = unknownVariables(process.env).join(', ');
  if (unknown !== '') logger.warn(`nothing reads ${unknown}: docs/reference/env.md lists the variables there are`);
  return startStandalone(env, logger);
});
