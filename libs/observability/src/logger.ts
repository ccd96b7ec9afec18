import { pino, stdTimeFunctions, type Logger } from 'pino';
import { pinoPretty } from './pretty-stream.js';
import type { LogFormat, LogLevel } from './log-env.js';

export type { Logger };

export interface LoggerOptions {
  readonly name: string;
  readonly level: LogLevel;
  readonly format: LogFormat;
}

/** JSON lines, or readable ones for people. Never log stored text, a vector, a query or a secret. */
export const createLogger = ({ name, level, format }: LoggerOptions): Logger => {
  const options = { name, level, base: { name }, timestamp: stdTimeFunctions.isoTime };
  return format === 'pretty' ? pino(options, pinoPretty()) : pino(options);
};

/** Nest's injection token for the logger of the process, because a type cannot be one. */
export const LOGGER = Symbol('cairn.logger');
