import 'reflect-metadata';
import { setFlagsFromString } from 'node:v8';
import { loadConfig } from '@cairn/kernel';
import { createLogger, logFormat, runProcess } from '@cairn/observability';
import { standaloneEnv } from './config.js';
import { startStandalone } from './standalone.js';
import { unknownVariables } from './unknown-variables.js';

/**
 * Files of this process and its children are readable by their owner only: much of their content derives from
 * plaintext.
 */
const OWNER_ONLY = 0o077;

/** The large nursery is for this thread alone. Without this line every thread has one, whatever limit it is given. */
const OWN_NURSERY = '--max-semi-space-size=0';

process.umask(OWNER_ONLY);
setFlagsFromString(OWN_NURSERY);
runProcess(async () => {
  const env = loadConfig(standaloneEnv, process.env);
  const format = logFormat(env.LOG_FORMAT, process.stdout.isTTY);
  const logger = createLogger({ name: 'cairn', level: env.LOG_LEVEL, format });
  const unknown = unknownVariables(process.env).join(', ');
  if (unknown !== '') logger.warn(`nothing reads ${unknown}: docs/reference/env.md lists the variables there are`);
  return startStandalone(env, logger);
});
