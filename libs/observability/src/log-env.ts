import { z } from 'zod';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFormat = 'pretty' | 'json';

export const logEnv = z.object({
  LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
  /** Unset means pretty on a terminal and JSON elsewhere: see `logFormat`. */
  LOG_FORMAT: z.enum(['pretty', 'json']).optional(),
});

export const logFormat = (given: LogFormat | undefined, isTerminal: boolean): LogFormat =>
  given ?? (isTerminal ? 'pretty' : 'json');
