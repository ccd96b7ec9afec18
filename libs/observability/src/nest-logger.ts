import type { LoggerService } from '@nestjs/common';
import type { Logger } from './logger.js';

/** Nest calls with (message, …, context); an error may have its stack before the context. */
const split = (params: readonly unknown[]): { context?: unknown; stack?: unknown } => {
  const texts = params.filter((param) => typeof param === 'string');
  if (texts.length === 0) return {};
  return texts.length === 1 ? { context: texts[0] } : { context: texts.at(-1), stack: texts[0] };
};

/**
 * Writes Nest's own lines to Cairn's logger. Start-up lines get level `debug`, because an operator does not need them.
 */
export const nestLogger = (logger: Logger): LoggerService => ({
  log: (message: unknown, ...params: unknown[]) => logger.debug(split(params), String(message)),
  warn: (message: unknown, ...params: unknown[]) => logger.warn(split(params), String(message)),
  debug: (message: unknown, ...params: unknown[]) => logger.debug(split(params), String(message)),
  verbose: (message: unknown, ...params: unknown[]) => logger.trace(split(params), String(message)),
  error: (message: unknown, ...params: unknown[]) => {
    // For a failed start, Nest throws the error again, and its caller reports it.
    if (params.at(-1) === 'ExceptionHandler') return;
    if (message instanceof Error) return logger.error({ ...split(params), err: message }, message.message);
    // The transport reconnects by itself, so no one has to act.
    const isDisconnect = String(message).startsWith('NatsError: type: "disconnect"');
    return logger[isDisconnect ? 'warn' : 'error'](split(params), String(message));
  },
  fatal: (message: unknown, ...params: unknown[]) => logger.fatal(split(params), String(message)),
});
